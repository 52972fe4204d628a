/** A number with its noun: `1 route`, `2 routes`. For nouns whose plural is an s. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
