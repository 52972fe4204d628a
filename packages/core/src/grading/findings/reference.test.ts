import { readFileSync } from 'node:fs';
import { FINDING_IDS, TASK_OUTCOMES } from '@seamtrace/semconv';
import { expect, it } from 'vitest';
import { FINDINGS_MADE } from './passes.js';
import { DEFAULT_THRESHOLDS } from './types.js';
import { TASK_FINDINGS } from './whole-task.js';

const page = readFileSync(new URL('../../../../../docs/reference/findings.md', import.meta.url), 'utf8');
const sections = new Map(page.split(/^## /m).map((section) => [section.split('\n')[0]!, section]));

/** Names in code in the first column of a section's table. */
function rowsOf(title: string): readonly string[] {
  const rows = (sections.get(title) ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => (row.split('|')[1]!.match(/`\w+`/g) ?? []).map((name) => name.slice(1, -1)));
}

it('lists every finding once: of one handoff, of the task, or never made', () => {
  const [one, task, never] = [
    'Findings of one handoff',
    'Findings that need the task',
    'Never made in this version',
  ].map(rowsOf);
  expect([...one!, ...task!, ...never!].sort()).toEqual([...FINDING_IDS].sort());
  expect([...one!, ...task!].sort()).toEqual([...FINDINGS_MADE].sort());
  expect(task!.filter((id) => id !== 'goal_changed').sort()).toEqual([...TASK_FINDINGS].sort());
});

it('documents every threshold with its default', () => {
  const rows = (sections.get('Thresholds') ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const stated = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const defaults = Object.fromEntries(stated.map(([, name = '', value]) => [name.replaceAll('`', ''), Number(value)]));
  expect(defaults).toEqual(DEFAULT_THRESHOLDS);
});

it('defines every outcome of a task', () => {
  expect([...rowsOf('Ends of tasks')].sort()).toEqual([...TASK_OUTCOMES].sort());
});
