import type { PayloadChannel } from '@seamtrace/semconv';

const WIDEST_FIRST: readonly (PayloadChannel | undefined)[] = ['shared_state', 'envelope', 'text'];

/** The wider channel of two stages: a carrier that was emptied on the way is still one. */
export function widest(a: PayloadChannel | undefined, b: PayloadChannel): PayloadChannel {
  return WIDEST_FIRST.find((channel) => channel === a || channel === b) ?? b;
}
