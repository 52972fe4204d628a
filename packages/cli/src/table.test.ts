import { expect, it } from 'vitest';
import { formatTable } from './table.js';

it('makes every column as wide as its widest cell and leaves no space at the end', () => {
  expect(
    formatTable(
      ['a', 'long title'],
      [
        ['wide cell', ''],
        ['', 'x'],
      ],
    ),
  ).toBe(['a          long title', '─────────  ──────────', 'wide cell', '           x', ''].join('\n'));
});

it('takes more rows than a call can have arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index)]);
  expect(formatTable(['n'], rows).split('\n')).toHaveLength(200_003);
});

it('writes control characters out, so that a name cannot move the cursor or break a row', () => {
  expect(formatTable(['n'], [['a\u001b[2Jb\nc\u009b']]).split('\n')[2]).toBe('a\\u001b[2Jb\\u000ac\\u009b');
});
