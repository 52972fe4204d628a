/**
 * Plain text columns, two spaces apart, as wide as their widest cell; ends with a line feed. Control characters are
 * written out: names come from spans, and a terminal must not obey them.
 */
export function formatTable(header: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(writeOutControls));
  const widths = header.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? '').length), title.length),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width));
  return `${[header, rule].map(line).concat(rows.map(line)).join('\n')}\n`;
}

/** The text with its control characters as escapes, so that a terminal does not obey them. */
export function writeOutControls(cell: string): string {
  return cell.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
