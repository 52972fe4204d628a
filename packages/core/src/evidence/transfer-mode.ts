import type { HandoffMode } from '@seamtrace/semconv';

/** Upstream's proposal for the mode of a handoff, `gen_ai.transfer.mode`, in our words; `undefined` for any other value. */
export function modeOfTransfer(stated: unknown): HandoffMode | undefined {
  switch (stated) {
    case 'return_to_caller':
      return 'delegation';
    case 'pass_control':
      return 'transfer';
    default:
      return undefined;
  }
}
