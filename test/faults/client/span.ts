import { createHash } from 'node:crypto';
import { type SpanModel, type StageModel, handoffSpan } from '@seamtrace/testkit';
import type { Capture, Piece } from '../judge/piece.js';

type Changes = Record<string, string | readonly string[]>;

/** The span that a client sends for a piece. Its ids follow from the piece's name, so that a repetition is the same span. */
export function spanOf(piece: Piece): SpanModel {
  const { name, handoffId, attempt, role, execution, source, target, destination, version, required } = piece;
  const changes: Changes = {
    ...(piece.retryOf === undefined ? {} : { 'seamtrace.handoff.retry_of': piece.retryOf }),
    ...(piece.prevented === true ? { 'seamtrace.dispatch.outcome': 'prevented' } : {}),
  };
  const stages = Object.entries(piece.stages).map(([stage, capture]) => [
    `${stage}Stage`,
    model(stage, capture, changes),
  ]);
  const stated = { attempt, execution, source, target, destination, contractVersion: version, requiredKeys: required };
  return handoffSpan({
    role,
    handoffId,
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
    ...(Object.fromEntries(stages) as Record<string, StageModel>),
    attributes: changes,
    span: { traceId: hex(`trace ${handoffId} ${role}`, 32), spanId: hex(`span ${name}`, 16) },
  });
}

function model(stage: string, { keys, damage }: Capture, changes: Changes): StageModel {
  if (damage === 'masked') changes[`seamtrace.${stage}.keys`] = '****';
  if (damage === 'shortened') changes[`seamtrace.${stage}.keys`] = [...keys].sort().slice(0, -1);
  if (damage === undefined || damage === 'masked' || damage === 'shortened') return keys;
  return { keys, incomplete: damage };
}

function hex(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
