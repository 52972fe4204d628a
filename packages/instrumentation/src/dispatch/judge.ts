import { HandoffContractError, type Route } from '@seamtrace/contracts';
import { provenMissing } from '../enforce/missing.js';
import { enforceMode, type EnforceOverride } from '../enforce/mode.js';
import type { HandoffState } from '../handoff/state.js';
import { warnOfHandoff } from '../runtime/report.js';

/**
 * Judges a dispatch by its own evidence. Returns the error with which an enforcing producer refuses it; `undefined` when it
 * goes on. A required key is missing where a complete capture proves it: at the source first, else in what is sent.
 *
 * @param built Whether the payload was built from the source here.
 */
export function judgeDispatch(
  state: HandoffState,
  route: Route | undefined,
  override: EnforceOverride | undefined,
  built: boolean,
): HandoffContractError | undefined {
  const mode = enforceMode('producer', route, override);
  if (route === undefined || mode === 'observe') return undefined;
  const atSource = state.sourceCapture === undefined ? [] : provenMissing(state.sourceCapture.keys, state.contract);
  const inPayload = state.payloadCapture === undefined ? [] : provenMissing(state.payloadCapture.keys, state.contract);
  const keys = atSource.length > 0 ? atSource : inPayload;
  if (keys.length === 0) return undefined;
  if (mode === 'warn') {
    const where = atSource.length > 0 ? 'at the source' : 'in what is sent';
    warnOfHandoff(
      `dispatch:${route.name}:${where}:${keys.join(',')}`,
      `${route.name}: required ${where} and not there: ${keys.join(', ')}`,
    );
    return undefined;
  }
  // The builder takes what can be read. What it lost then was behind an accessor or a Proxy of the source.
  const unreadable = atSource.length === 0 && built && state.sourceCapture?.keys.complete === false;
  return new HandoffContractError({
    code: atSource.length > 0 || unreadable ? 'SEAMTRACE_SOURCE_INCOMPLETE' : 'SEAMTRACE_PROJECTION_INCOMPLETE',
    ...(unreadable ? { unreadable: keys } : {}),
    payloadBy: built ? 'contract' : 'application',
    route: route.name,
    version: state.contract?.version ?? '',
    keys,
    from: route.from,
    to: route.to,
    purpose: route.purpose,
    onViolation: route.onViolation,
  });
}
