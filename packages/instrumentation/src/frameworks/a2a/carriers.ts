import { types } from 'node:util';
import { elements, memberOf, ownData, text } from '../../hooks/own-data.js';
import type { MessageContents } from '../../remote/contents.js';
import { A2A_HANDOFF_KEY } from '../../propagation/keys.js';
import { wireBytes } from './wire-size.js';

// What carries keys from one agent to the next in A2A: members of data parts, of text parts that hold a JSON object, and of
// metadata, be it the message's, a part's or the request's. Prose, files and bare lists carry facts without names.

const NOTHING: MessageContents = { records: [], opaque: false };

/** A message with the metadata of the request that brought it. Our own entry and those of other extensions are no payload. */
export function messageContents(message: unknown, requestMetadata?: unknown): MessageContents {
  const parts = partsContents(ownData(message, 'parts'));
  return {
    ...parts,
    records: [...parts.records, ...metadataRecords(ownData(message, 'metadata')), ...metadataRecords(requestMetadata)],
    opaque: parts.opaque || !memberOf(message, 'metadata').readable,
    size: wireBytes(message),
  };
}

/** The artifacts of a task, and what its status says in words. Its history is what was sent, not what came back. */
export function taskContents(task: unknown): MessageContents {
  return sum([...elements(ownData(task, 'artifacts')).map(artifactContents), statusContents(ownData(task, 'status'))]);
}

export function artifactContents(artifact: unknown): MessageContents {
  const parts = partsContents(ownData(artifact, 'parts'));
  return { ...parts, records: [...parts.records, ...metadataRecords(ownData(artifact, 'metadata'))] };
}

export function statusContents(status: unknown): MessageContents {
  const message = ownData(status, 'message');
  return message === undefined || message === null ? NOTHING : { ...messageContents(message), size: undefined };
}

/** Several of them as one. Bytes of which some are not known are not. */
export function sum(all: readonly MessageContents[]): MessageContents {
  return {
    records: all.flatMap(({ records }) => records),
    opaque: all.some(({ opaque }) => opaque),
    textSize: all.reduce((bytes, { textSize = 0 }) => bytes + textSize, 0),
    references: all.reduce((count, { references = 0 }) => count + references, 0),
  };
}

function partsContents(parts: unknown): MessageContents {
  // Parts that cannot be looked at may hold anything.
  if (!Array.isArray(parts) || types.isProxy(parts)) return { records: [], opaque: true };
  return sum(elements(parts).map(partContents));
}

function partContents(part: unknown): MessageContents {
  const { kind, value } = contentOf(part);
  const records = metadataRecords(ownData(part, 'metadata'));
  if (kind === 'data') {
    return isRecord(value) ? { records: [value, ...records], opaque: false } : { records, opaque: true };
  }
  if (kind === 'text') {
    const words = typeof value === 'string' ? value : '';
    const textSize = Buffer.byteLength(words);
    if (holdsRecord(words)) return { records: [words, ...records], opaque: false };
    return { records, opaque: words.trim() !== '', textSize };
  }
  return { records, opaque: true, references: kind === 'url' ? 1 : 0 };
}

/** 1.x says `content: { $case, value }`, 0.3 says `kind` and a member of its own. */
function contentOf(part: unknown): { readonly kind: string | undefined; readonly value: unknown } {
  const content = ownData(part, 'content');
  if (content !== undefined) return { kind: text(ownData(content, '$case')), value: ownData(content, 'value') };
  const kind = text(ownData(part, 'kind'));
  if (kind === 'data') return { kind, value: ownData(part, 'data') };
  if (kind === 'text') return { kind, value: ownData(part, 'text') };
  const file = ownData(part, 'file');
  return { kind: ownData(file, 'uri') === undefined ? 'raw' : 'url', value: file };
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Many agents send JSON as text. Its members are named as those of a data part are. */
function holdsRecord(words: string): boolean {
  if (!/^\s*\{/.test(words)) return false;
  try {
    return isRecord(JSON.parse(words));
  } catch {
    return false;
  }
}

const PROTOCOL: ReadonlySet<string> = new Set([A2A_HANDOFF_KEY, 'traceparent', 'tracestate', 'baggage']);

/** Metadata as a record, without the entries of extensions, whose names are URIs: they speak to other software. */
function metadataRecords(metadata: unknown): readonly unknown[] {
  if (typeof metadata !== 'object' || metadata === null) return [];
  if (types.isProxy(metadata)) return [metadata];
  const names = Object.getOwnPropertyNames(metadata);
  const own = names.filter((name) => !PROTOCOL.has(name) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(name));
  if (own.length === 0) return [];
  if (own.length === names.length) return [metadata];
  return [Object.fromEntries(own.map((name) => [name, ownData(metadata, name)]))];
}
