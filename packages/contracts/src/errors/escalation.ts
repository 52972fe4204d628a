/** What a person is asked when a route's `on_violation` is `human`, in the order in which they should read it. */
export interface Escalation {
  /** One sentence, phrased as a choice. */
  readonly decision: string;
  /** The choices, two or more. */
  readonly options: readonly string[];
  /** At most three facts that bear on the choice. */
  readonly facts: readonly string[];
  /** What is lost by not answering. */
  readonly costOfWaiting: string;
  readonly route: string;
  readonly version: string;
  /** Keys that are missing. Names, never values. */
  readonly keys: readonly string[];
}

/** What an escalation and a question to an agent are written from. */
export interface Refusal {
  readonly code: 'SEAMTRACE_SOURCE_INCOMPLETE' | 'SEAMTRACE_PROJECTION_INCOMPLETE' | 'SEAMTRACE_INGEST_REJECTED';
  readonly route: string;
  readonly version: string;
  readonly keys: readonly string[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly purpose?: string | undefined;
  /**
   * Who made the payload that lacks the keys, where the code is `SEAMTRACE_PROJECTION_INCOMPLETE`: the application, which gave
   * or filtered it, or (by default) the projection onto the contract.
   */
  readonly payloadBy?: 'application' | 'contract' | undefined;
}

/** `route "x", version "2"`; the version is left out where none is known. */
export function nameRoute({ route, version }: Pick<Refusal, 'route' | 'version'>): string {
  return `route ${JSON.stringify(route)}${version === '' ? '' : `, version ${JSON.stringify(version)}`}`;
}

interface Fix {
  readonly choice: string;
  readonly option: string;
  readonly fact: string;
}

const PAYLOAD_FIX: Fix = {
  choice: 'correct what packs or filters the payload',
  option: 'Correct what packs or filters the payload, and hand over again',
  fact: 'The payload that the application handed over lacks them: a retry gives the same',
};

const FIX: Record<Refusal['code'], Fix> = {
  SEAMTRACE_SOURCE_INCOMPLETE: {
    choice: 'supply what is missing',
    option: 'Supply the missing keys, so that the handoff can be made',
    fact: 'The source never had them: nothing was lost on the way',
  },
  SEAMTRACE_PROJECTION_INCOMPLETE: {
    choice: 'correct the contract',
    option: 'Correct the contract, which drops keys that it requires, and hand over again',
    fact: 'The source has them and the contract itself drops them: a retry gives the same',
  },
  SEAMTRACE_INGEST_REJECTED: {
    choice: 'hand over again with what is missing',
    option: 'Have the envelope built and sent again with the missing keys',
    fact: 'The destination did not get them, and has not begun to work',
  },
};

/** Whether it is the application's own payload that lacks the keys: the contract is not at fault then. */
export function lostByApplication({ code, payloadBy }: Pick<Refusal, 'code' | 'payloadBy'>): boolean {
  return code === 'SEAMTRACE_PROJECTION_INCOMPLETE' && payloadBy === 'application';
}

/** Builds the escalation for a refused handoff. */
export function createEscalation(refusal: Refusal): Escalation {
  const { choice, option, fact } = lostByApplication(refusal) ? PAYLOAD_FIX : FIX[refusal.code];
  const target = refusal.to ?? 'the next agent';
  const missing = refusal.keys.join(', ');
  const purpose = refusal.purpose === undefined ? '' : ` (${refusal.purpose})`;
  return {
    decision: `The handoff to ${target}${purpose} lacks ${missing}: ${choice}, or end the task here?`,
    options: [option, 'End the task here, without the handoff'],
    facts: [`Missing: ${missing}`, fact, `The contract that asks for them is ${nameRoute(refusal)}`],
    costOfWaiting: `The task stands still until this is answered; ${target} has nothing to work on.`,
    route: refusal.route,
    version: refusal.version,
    keys: refusal.keys,
  };
}

/** The text for the source agent when `on_violation` is `ask`: what is missing, and what to do next. */
export function createAskText(refusal: Refusal): string {
  const target = refusal.to ?? 'the next agent';
  const missing = refusal.keys.join(', ');
  if (lostByApplication(refusal)) {
    return `The handoff to ${target} was not made: the payload handed over lacks ${missing}, which ${nameRoute(refusal)} requires. Asking again gives the same; look at what packs or filters the payload.`;
  }
  if (refusal.code === 'SEAMTRACE_PROJECTION_INCOMPLETE') {
    return `The handoff to ${target} was not made: its contract drops ${missing}, which it also requires. Asking again gives the same; report that the contract of ${nameRoute(refusal)} needs correction.`;
  }
  const done = refusal.code === 'SEAMTRACE_INGEST_REJECTED' ? 'was rejected' : 'was not made';
  return `The handoff to ${target} ${done}: it needs ${missing}. Collect what is missing, then hand over again.`;
}
