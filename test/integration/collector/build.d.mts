/** The collector's binary, built first where it is not there yet; a message that says what is missing otherwise. */
export function collectorBinary(options?: {
  readonly quiet?: boolean;
}): { readonly ok: true; readonly file: string } | { readonly ok: false; readonly message: string };
