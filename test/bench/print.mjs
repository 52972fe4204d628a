// How the benches are printed.

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export function printRows(rows) {
  const withThroughput = rows.some(({ throughput }) => throughput !== undefined);
  table([
    ['case', 'per CPU second', 'ratio', 'lowest to highest', ...(withThroughput ? ['per second'] : [])],
    ...rows.map((row) => [
      row.case,
      `${number.format(row.perSecond)} ${row.unit}`,
      `${row.ratio.toFixed(2)}x`,
      `${row.lowest.toFixed(2)} to ${row.highest.toFixed(2)}`,
      ...(withThroughput ? [number.format(row.throughput)] : []),
    ]),
  ]);
}

export function printFigures(figures) {
  if (figures.length > 0) table(figures.map(({ what, value }) => [what, value]));
}

/** What is asked, what was measured, and whether that is enough. */
export function printTargets(targets) {
  if (targets.length === 0) return;
  console.log('\ntargets');
  table([
    ['what', 'target', 'measured', ''],
    ...targets.map(({ what, target, measured, met }) => [
      what,
      target,
      measured ?? 'not measured, see above',
      measured === undefined ? '' : met ? 'met' : 'MISSED',
    ]),
  ]);
}

function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    const cells = line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
    console.log(`  ${cells.join('   ').trimEnd()}`);
  }
}
