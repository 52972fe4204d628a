import { widest } from '../../capture/channel.js';
import { type HandoffContractError, valueAt } from '@seamtrace/contracts';
import { captureStage, type StageCapture } from '../../capture/stage-capture.js';
import { unite } from '../../capture/unite.js';
import type { ContractTerms } from '../../handoff/state.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import { ingest } from '../../hooks/ingest.js';
import { jsonObject, readCarriers, type SentText, stageEvidence } from './carriers.js';
import { holdsFiles, structuresOf, textsOf } from './messages.js';
import { otherWays, standsIn } from './other-ways.js';
import { personAnswers } from './people.js';
import { returnsAreRead } from './return-leg.js';
import type { AgentRun } from './run.js';

/**
 * The run is about to call its model, or a tool before it as after an approval. What it can read at the first such call is
 * the destination evidence. Returns the error with which an enforcing consumer rejects it.
 *
 * @param prompt The messages as they go to the model, after `prepareCall` and `prepareStep`; `undefined` at a tool call.
 */
export function runReads(run: AgentRun, prompt: readonly unknown[] | undefined): HandoffContractError | undefined {
  personAnswers(run);
  if (prompt !== undefined) {
    run.prompt = prompt;
    returnsAreRead(run, prompt);
  }
  return ingest(run.followed, (terms, handoff) => arrived(run, prompt, terms, handoff));
}

function arrived(
  run: AgentRun,
  prompt: readonly unknown[] | undefined,
  terms: ContractTerms | undefined,
  handoff: FollowedHandoff,
): StageCapture {
  const { delegation } = run;
  const sent = delegation?.sent ?? [];
  const records = delegation?.records ?? [];
  const all = textsOf(prompt);
  const texts: readonly SentText[] = all.map((text) => ({
    text,
    record: sent.find((each) => each.text === text)?.record ?? jsonObject(text),
  }));
  const secret = run.wiring.secret();
  const reading = readCarriers({ contexts: run.contexts, members: [], texts }, terms, secret);
  const shown = shownByValue(terms, records, all, secret);
  const known = new Set([...sent.map(({ text }) => text), ...run.instructions]);
  return stageEvidence(
    {
      capture: shown === undefined ? reading.capture : unite(reading.capture, shown, terms),
      channel: widest(handoff.state.payload?.channel, reading.channel),
    },
    terms,
    {
      mayHold: otherWays({ structures: structuresOf(prompt), texts: all }, records),
      // A text that nobody sent and that is no instruction of the agent's own was written on the way.
      rewritten:
        prompt === undefined ||
        holdsFiles(prompt) ||
        texts.some(({ text, record }) => record === undefined && !known.has(text)),
    },
  );
}

/**
 * Keys that were sent and whose value, long enough to be no coincidence, the model can read in a text, such as in
 * instructions that `prepareCall` writes of the call options.
 */
function shownByValue(
  terms: ContractTerms | undefined,
  records: readonly unknown[],
  texts: readonly string[],
  secret: string | undefined,
): StageCapture | undefined {
  const members: Record<string, unknown> = {};
  for (const path of terms?.required ?? []) {
    if (!/^[A-Za-z_$][\w$]*$/.test(path)) continue;
    for (const record of records) {
      const found = valueAt(record, path);
      if (found.status !== 'present' || !isTelling(found.value) || !standsIn(found.value, texts)) continue;
      members[path] = found.value;
    }
  }
  return Object.keys(members).length === 0 ? undefined : captureStage(members, terms, secret);
}

const MIN_TELLING = 4;

function isTelling(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value).length >= MIN_TELLING;
}
