import type { Allowance } from './allowance.js';
import type { Refusal } from './answer.js';
import type { BodyFault } from './body.js';
import type { Coding } from './coding.js';
import * as refuse from './refusals.js';

export interface ReadingLimits {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  readonly allowance: Allowance;
}

/** What to say of a body that could not be read whole, on either transport. */
export function refuseBody(fault: BodyFault, coding: Coding, limits: ReadingLimits): Refusal {
  switch (fault.kind) {
    case 'malformed':
      return refuse.malformed(fault.detail);
    case 'broken':
      return refuse.brokenCompression(coding, fault.detail);
    case 'stopping':
      return refuse.stopping();
    case 'timeout':
      return refuse.timedOut(limits.timeoutMs);
    case 'in_flight_limit':
      return refuse.inFlightLimit(limits.allowance);
    case 'too_large':
      return refuse.tooLarge(limits.maxBodyBytes, fault.found);
    case 'too_large_inflated':
      return refuse.tooLargeInflated(limits.maxBodyBytes);
  }
}
