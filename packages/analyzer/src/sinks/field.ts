/** The JSON pointer of a violation `<JSON pointer> <code>`; the whole document's is empty and reads as `/`. */
export function fieldOf(violation: string): string {
  const end = violation.lastIndexOf(' ');
  const pointer = end < 0 ? violation : violation.slice(0, end);
  return pointer === '' ? '/' : pointer;
}
