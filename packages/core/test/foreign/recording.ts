/** One span of an invented app, with what happened in it. Times come from {@link record}. */
export interface Step {
  readonly name: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Value>> }[];
  readonly status: 0 | 1 | 2;
  /** What happened in it, one after the other unless `parallel`. */
  readonly steps: readonly Step[];
  readonly parallel: boolean;
  /** Ends before its own steps begin, as LangSmith's spans do. */
  readonly endsEarly: boolean;
  readonly scope: string | undefined;
}

export type Value = string | number | boolean | readonly string[];

type Rest = Partial<Omit<Step, 'name' | 'attributes' | 'steps'>>;

export function step(
  name: string,
  attributes: Readonly<Record<string, Value>>,
  steps: readonly Step[] = [],
  rest: Rest = {},
): Step {
  return {
    name,
    attributes,
    steps,
    events: [],
    status: 0,
    parallel: false,
    endsEarly: false,
    scope: undefined,
    ...rest,
  };
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  attributes: unknown[];
  events: unknown[];
}

/** A recorded span with the scope that it was recorded in. */
export interface Recorded {
  readonly scope: string;
  readonly span: OtlpSpan;
}

const BEGIN = 1_796_000_000_000_000_000n;
const MILLISECOND = 1_000_000n;

/** Every span of one trace, children before their parents as exporters send them. `trace` is any text. */
export function record(scope: string, roots: readonly Step[], trace = '7'): readonly Recorded[] {
  const recorded: Recorded[] = [];
  const traceId = Buffer.from(trace.padEnd(16, '.')).toString('hex').slice(0, 32);
  let count = 0;
  let clock = BEGIN;
  const tell = (at: Step, parentSpanId: string | undefined): void => {
    count += 1;
    const spanId = (0x1000_0000 + count).toString(16).padStart(16, '0');
    const started = clock;
    let ended = started;
    if (at.endsEarly) ended = started + MILLISECOND;
    // The clocks of JavaScript's spans are whole milliseconds: what follows at once begins at the same time.
    for (const inner of at.steps) {
      if (at.parallel) clock = started + MILLISECOND;
      tell(inner, spanId);
      ended = clock > ended && !at.endsEarly ? clock : ended;
    }
    clock = at.steps.length === 0 ? clock + 5n * MILLISECOND : clock > ended ? clock : ended;
    if (at.steps.length === 0) ended = clock;
    const span: OtlpSpan = {
      traceId,
      spanId,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name: at.name,
      kind: 1,
      startTimeUnixNano: started.toString(),
      endTimeUnixNano: ended.toString(),
      status: { code: at.status },
      attributes: attributesOf(at.attributes),
      events: at.events.map(({ name, attributes }) => ({ name, attributes: attributesOf(attributes) })),
    };
    recorded.push({ scope: at.scope ?? scope, span });
  };
  for (const root of roots) tell(root, undefined);
  return recorded;
}

/** One OTLP request in JSON for each batch of `size` spans. */
export function requests(recorded: readonly Recorded[], size = recorded.length): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < recorded.length; at += size) {
    const scopeSpans = recorded
      .slice(at, at + size)
      .map(({ scope, span }) => ({ scope: { name: scope }, spans: [span] }));
    texts.push(JSON.stringify({ resourceSpans: [{ scopeSpans }] }));
  }
  return texts;
}

function attributesOf(attributes: Readonly<Record<string, Value>>): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: Value): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}
