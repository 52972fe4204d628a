/** An endpoint as it may stand in a log: without user, password, query and fragment, which can hold credentials. */
export function endpointName(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
