import { say } from '../runtime/say.js';
import type { Framework } from './frameworks.js';

/**
 * The frameworks that `SEAMTRACE_FRAMEWORKS` leaves: a list such as `openai-agents,langgraph` (these only) or `-mastra` (all
 * but this), by folder or package name. Unset or empty is all. A name that is none is said in one line and passed over.
 */
export function chooseFrameworks(all: readonly Framework[], setting: string | undefined): readonly Framework[] {
  const names = (setting ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '-');
  const matches = (name: string) => (framework: Framework) => name === framework.folder || name === framework.name;
  const unknown = names.filter((name) => !all.some(matches(name.replace(/^-/, ''))));
  if (unknown.length > 0) {
    const known = all.map(({ folder }) => folder).join(', ');
    say(`SEAMTRACE_FRAMEWORKS names ${unknown.join(', ')}, which is none of ${known}; it is passed over`);
  }
  const kept = names.filter((name) => !unknown.includes(name));
  const only = kept.filter((name) => !name.startsWith('-'));
  const not = kept.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
  return all.filter(
    (framework) =>
      (only.length === 0 || only.some((name) => matches(name)(framework))) &&
      !not.some((name) => matches(name)(framework)),
  );
}
