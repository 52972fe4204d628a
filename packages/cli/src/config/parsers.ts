/** A value from a file, the environment or a flag, read; or what is wrong with it, in a few words. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export interface HostPort {
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
}

const good = <T>(value: T): Read<T> => ({ ok: true, value });
const bad = (message: string): Read<never> => ({ ok: false, message });
const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** `host:port`, `[v6]:port`; the port may be 0. */
export function readHostPort(value: unknown): Read<HostPort> {
  const match = typeof value === 'string' ? /^(\[[0-9A-Fa-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/.exec(value) : null;
  const port = Number(match?.[2]);
  if (!match?.[1] || port > 65_535) {
    return bad(`${shown(value)} is not an address; write host:port, such as 127.0.0.1:4318 or [::1]:0`);
  }
  return good({ host: match[1].replace(/^\[|\]$/g, ''), port });
}

/** An address, or `off` for none. */
export function readHostPortOrOff(value: unknown): Read<HostPort | 'off'> {
  // YAML 1.1 readers take a bare off for false; who writes it means the same.
  if (value === 'off' || value === false) return good('off');
  const read = readHostPort(value);
  return read.ok ? read : bad(`${read.message}, or off`);
}

/** A bearer token (RFC 6750, section 2.1). It is a secret: no message repeats it. */
export function readToken(value: unknown): Read<string> {
  return typeof value === 'string' && /^[A-Za-z0-9\-._~+/]+=*$/.test(value)
    ? good(value)
    : bad('must be a bearer token: letters, digits and -._~+/ only, then perhaps =');
}

/** An absolute http or https URL. */
export function readHttpUrl(value: unknown): Read<string> {
  if (typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return good(value);
  // What stands before an @ or after a ? may be a credential.
  const harmless = typeof value === 'string' ? value.replace(/\/\/[^/@]*@/, '//…@').replace(/\?.*$/s, '?…') : value;
  return bad(`${shown(harmless)} is not an http or https URL`);
}

export function readPath(value: unknown): Read<string> {
  return typeof value === 'string' && value.trim() !== '' ? good(value) : bad(`${shown(value)} is not a file path`);
}

/** A number of seconds, fractions allowed, from `min` to `max`. */
export function readSeconds(min: number, max: number): (value: unknown) => Read<number> {
  return (value) => {
    const seconds = asNumber(value);
    return seconds >= min && seconds <= max
      ? good(seconds)
      : bad(`${shown(value)} is not a number of seconds from ${min} to ${max}`);
  };
}

/** A number from `min` to `max`, fractions allowed. */
export function readNumber(min: number, max: number): (value: unknown) => Read<number> {
  return (value) => {
    const number = asNumber(value);
    return number >= min && number <= max ? good(number) : bad(`${shown(value)} is not a number from ${min} to ${max}`);
  };
}

/** A whole number from `min` to `max`. */
export function readWhole(min: number, max: number): (value: unknown) => Read<number> {
  return (value) => {
    const number = asNumber(value);
    return Number.isInteger(number) && number >= min && number <= max
      ? good(number)
      : bad(
          `${shown(value)} is not a whole number from ${min} ${max === Number.MAX_SAFE_INTEGER ? 'up' : `to ${max}`}`,
        );
  };
}

export function readChoice<T extends string>(choices: readonly T[]): (value: unknown) => Read<T> {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    return choice === undefined ? bad(`${shown(value)} is none of ${choices.join(', ')}`) : good(choice);
  };
}

function asNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}
