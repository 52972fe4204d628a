/**
 * The path of a request target, without its query. A server must also take the absolute form, which proxies use
 * (RFC 9112, section 3.2.2); what is in neither form is given back as it is.
 */
export function pathOf(target: string): string {
  const absolute = /^https?:\/\//i.test(target) && URL.canParse(target);
  return absolute ? new URL(target).pathname : target.split('?', 1)[0]!;
}
