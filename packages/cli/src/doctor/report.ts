import { count } from '../count.js';
import type { CaseView, Diagnosis } from './types.js';

/** What `--format text` prints: each service with what it sent, what is wrong with it, and what to do. */
export function toText(view: CaseView, diagnoses: readonly Diagnosis[]): string {
  const blocks = view.services.map((service) => {
    const own = count(service.own.length, 'span');
    const head = `${service.name}: ${count(service.received, 'span')}, ${service.own.length === 0 ? 'none' : own} with evidence of handoffs`;
    const found = diagnoses.filter((each) => each.service === service.name);
    if (found.length > 0) return [head, ...found.map(paragraph)].join('\n');
    return `${head}\n  ${service.own.length > 0 ? 'nothing is missing' : 'no agents were seen'}`;
  });
  const elsewhere = diagnoses.filter(({ service }) => service === null);
  if (elsewhere.length > 0) blocks.push(['services that sent nothing:', ...elsewhere.map(paragraph)].join('\n'));
  const problems = diagnoses.filter(({ severity }) => severity === 'problem').length;
  const advice = diagnoses.length - problems;
  const sums = [count(view.graded.length, 'handoff'), count(problems, 'problem'), advice > 0 ? `${advice} advice` : ''];
  return `${[...blocks, sums.filter((each) => each !== '').join(', ')].join('\n\n')}\n`;
}

function paragraph({ severity, id, count: times, what, fix, examples }: Diagnosis): string {
  const shown = examples.length > 0 ? ` (such as ${examples.join(', ')})` : '';
  return `  ${severity} ${id}, ${times} ×: ${what}${shown}\n    → ${fix}`;
}

/** What `--format json` prints: one diagnosis a line. */
export function toJsonLines(diagnoses: readonly Diagnosis[]): string {
  return diagnoses
    .map(
      ({ service, severity, id, count: times, what, fix, examples }) =>
        `${JSON.stringify({ service, severity, id, count: times, what, fix, examples })}\n`,
    )
    .join('');
}
