import { describe, expect, test } from 'vitest';
import { type Act, type Style, tool } from './app.js';
import { otelStyles } from './dialects/otel.js';
import { otherStyles } from './dialects/others.js';
import { gradeFile, gradeLive, tell } from './judge.js';
import { record, requests } from './recording.js';

const styles: readonly Style[] = [...otelStyles, ...otherStyles];
const handing = (mode: 'transfer' | 'delegation') => styles.filter(({ hands }) => hands === mode || hands === 'both');
const give = (style: Style, to: string, run: readonly Act[]): Act =>
  style.hands === 'delegation' ? { ask: to, run } : { to, run };

const spansOf = ({ scope, spans }: Style, acts: readonly Act[]) => record(scope, spans('intake', acts));
const told = (style: Style, acts: readonly Act[]) => tell(gradeFile(requests(spansOf(style, acts))));
const hopsOf = (style: Style, acts: readonly Act[]) =>
  gradeLive(requests(spansOf(style, acts), 7)).ends.map(({ hops }) => hops);

describe.each(styles)('$name', (style) => {
  const clean = [tool('find_order'), give(style, 'ledger', [tool('read_entry')])];

  test('one handoff, each agent with a tool of its own', () => {
    const graded = gradeFile(requests(spansOf(style, clean)));
    expect(tell(graded)).toEqual({ executed: ['intake > ledger'], asked: [], redundant: [], loop: false });
    expect(graded.map(({ evidence, verdict }) => [evidence, verdict])).toEqual([['inferred', 'insufficient_evidence']]);
    expect(hopsOf(style, clean)).toEqual([1]);
  });

  test('work that the second agent did again', () => {
    const acts = [tool('find_order'), give(style, 'ledger', [tool('find_order'), tool('read_entry')])];
    const redundant = ['ledger find_order'];
    expect(told(style, acts)).toEqual({ executed: ['intake > ledger'], asked: [], redundant, loop: false });
  });

  test('the same tool with other arguments is no work done again', () => {
    const acts = [tool('find_order'), give(style, 'ledger', [tool('find_order', { ticket: 'T-78' })])];
    expect(told(style, acts).redundant).toEqual([]);
  });

  test.runIf(style.silent !== undefined)('without content nothing is said of repeated work', () => {
    const acts = [tool('find_order'), give(style, 'ledger', [tool('find_order'), tool('read_entry')])];
    const silent = record(style.scope, style.silent!('intake', acts));
    expect(tell(gradeFile(requests(silent)))).toEqual({
      executed: ['intake > ledger'],
      asked: [],
      redundant: [],
      loop: false,
    });
  });

  test('a chain of three', () => {
    const acts = [
      give(style, 'ledger', [
        tool('read_entry'),
        give(style, 'refunds', [tool('pay'), give(style, 'mail', [tool('send')])]),
      ]),
    ];
    const executed = ['intake > ledger', 'ledger > refunds', 'refunds > mail'];
    // A supervisor's workers hand nothing over themselves.
    if (style.name.includes('supervisor')) return;
    expect(told(style, acts)).toEqual({ executed, asked: [], redundant: [], loop: false });
    expect(hopsOf(style, acts)).toEqual([3]);
  });

  test('a task that goes round', () => {
    if (style.name.includes('supervisor')) return;
    const again = [give(style, 'intake', [give(style, 'ledger', [])])];
    const acts = [tool('find_order'), give(style, 'ledger', again)];
    const executed = ['intake > ledger', 'intake > ledger', 'ledger > intake'];
    expect(told(style, acts)).toEqual({ executed, asked: [], redundant: [], loop: true });
    expect(hopsOf(style, acts)).toEqual([3]);
  });

  test('a task that comes back with work done on it goes no round', () => {
    if (style.name.includes('supervisor')) return;
    const again = [give(style, 'intake', [tool('ask_customer'), give(style, 'ledger', [])])];
    expect(told(style, [give(style, 'ledger', again)]).loop).toBe(false);
  });

  test('the same in any order and any batches, live and from a file', () => {
    const acts = [tool('find_order'), give(style, 'ledger', [tool('find_order'), tool('read_entry')])];
    const recorded = spansOf(style, acts);
    const graded = gradeFile(requests(recorded));
    expect(gradeFile(requests([...recorded].reverse(), 3))).toEqual(graded);
    expect(gradeFile(requests([...recorded, ...recorded], 5))).toEqual(graded);
    expect(gradeLive(requests(recorded, 4)).graded).toEqual(graded);
  });

  test('whatever spans are lost, nothing is said that did not happen', () => {
    const acts = [tool('find_order'), give(style, 'ledger', [tool('read_entry'), tool('note')])];
    const recorded = spansOf(style, acts);
    for (let lost = 0; lost < recorded.length; lost += 1) {
      for (const second of [lost, (lost * 7 + 3) % recorded.length]) {
        const graded = gradeFile(requests(recorded.filter((_, at) => at !== lost && at !== second)));
        const { executed, redundant, loop } = tell(graded);
        expect(['[]', '["intake > ledger"]', '["null > ledger"]']).toContain(JSON.stringify(executed));
        expect({ redundant, loop }).toEqual({ redundant: [], loop: false });
        expect(graded.filter(({ verdict }) => verdict !== 'insufficient_evidence')).toEqual([]);
      }
    }
  });
});

describe.each(handing('transfer'))('$name', (style) => {
  test('of two requests in one turn the one that ran counts', () => {
    const acts: Act[] = [{ to: 'ledger' }, { to: 'courier', run: [tool('track')] }];
    expect(told(style, acts).executed).toEqual(['intake > courier']);
    const first: Act[] = [{ to: 'courier', run: [tool('track')] }, { to: 'ledger' }];
    expect(told(style, first).executed).toEqual(['intake > courier']);
  });

  test('a request that nobody took up is no handoff later', () => {
    const acts: Act[] = [{ to: 'ledger' }, { to: 'courier', run: [{ to: 'ledger', run: [tool('read_entry')] }] }];
    expect(told(style, acts).executed).toEqual(['courier > ledger', 'intake > courier']);
  });
});

describe.each(handing('delegation').filter(({ name }) => !name.includes('supervisor')))('$name', (style) => {
  test('two delegates one after the other, one hop deep', () => {
    const acts: Act[] = [
      { ask: 'ledger', run: [tool('read_entry')] },
      { ask: 'courier', run: [tool('track')] },
      tool('close'),
    ];
    expect(told(style, acts)).toEqual({
      executed: ['intake > courier', 'intake > ledger'],
      asked: [],
      redundant: [],
      loop: false,
    });
    expect(hopsOf(style, acts)).toEqual([1]);
  });
});
