const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Milliseconds of a `grpc-timeout`, such as `5S`: at most eight digits and a unit. Infinity where there is none,
 * `undefined` for what is not one.
 */
export function parseTimeout(header: string | undefined): number | undefined {
  if (header === undefined) return Infinity;
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  return digits === undefined ? undefined : Number(digits) * UNIT_MS[unit!]!;
}
