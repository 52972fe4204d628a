import { payloadSize } from '../../capture/payload-size.js';
import { elements, ownData } from '../../hooks/own-data.js';

/**
 * Bytes of a message as JSON on the wire. 0.3 sends the object as it is. 1.x holds it in the form of its protocol buffers and
 * sends the JSON form of those: enums by name, no members that are empty, a part's content under its kind.
 */
export function wireBytes(message: unknown): number | undefined {
  const parts = ownData(message, 'parts');
  if (!elements(parts).some((part) => ownData(part, 'content') !== undefined)) return payloadSize(message);
  return payloadSize({
    ...filled(message, ['messageId', 'contextId', 'taskId', 'metadata', 'extensions', 'referenceTaskIds']),
    role: ownData(message, 'role') === 2 ? 'ROLE_AGENT' : 'ROLE_USER',
    parts: elements(parts).map(wirePart),
  });
}

function wirePart(part: unknown): Record<string, unknown> {
  const content = ownData(part, 'content');
  const kind = ownData(content, '$case');
  const value = ownData(content, 'value');
  const raw = ArrayBuffer.isView(value) ? base64Of(value.byteLength) : value;
  return {
    ...(typeof kind === 'string' ? { [kind]: raw } : {}),
    ...filled(part, ['metadata', 'filename', 'mediaType']),
  };
}

/** A text as long as that of so many bytes in base64; what it says does not matter here. */
function base64Of(bytes: number): string {
  return 'A'.repeat(Math.ceil(bytes / 3) * 4);
}

function filled(holder: unknown, names: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name of names) {
    const value = ownData(holder, name);
    const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (!empty) members[name] = value;
  }
  return members;
}
