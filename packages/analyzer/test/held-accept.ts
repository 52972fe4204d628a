import type { AcceptOutcome } from '../src/receive/types.js';

/** An `accept` that says when it is asked, and answers when it is told to. */
export function heldAccept() {
  let release: (outcome: AcceptOutcome) => void = () => undefined;
  let enter: () => void = () => undefined;
  const held = new Promise<AcceptOutcome>((resolve) => (release = resolve));
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const accept = () => {
    enter();
    return held;
  };
  return { accept, entered, release: () => release({ kind: 'accepted' }) };
}
