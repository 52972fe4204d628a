import { createContextKey } from '@opentelemetry/api';

const CONFIDENTIAL = createContextKey('support-desk confidential conversation');

/** A context in which every span belongs to a protected customer. */
export function confidential(context) {
  return context.setValue(CONFIDENTIAL, true);
}

// Names and ids are needed to read a trace at all, and identify nobody. Everything else may.
const needed = /(^|[._])(id|name|role|route|version)$/;

/**
 * Masks what the spans of a protected customer's conversation say, before any exporter sees them: every attribute value
 * made of text. Applies to all instrumentations alike, since none of them knows which customers are protected.
 */
export class ConfidentialSpanProcessor {
  #spans = new WeakSet();

  onStart(span, parentContext) {
    if (parentContext.getValue(CONFIDENTIAL)) this.#spans.add(span);
  }

  onEnd(span) {
    if (!this.#spans.has(span)) return;
    for (const [key, value] of Object.entries(span.attributes)) {
      const text = typeof value === 'string' || Array.isArray(value);
      if (text && !needed.test(key)) span.attributes[key] = '***';
    }
  }

  async forceFlush() {}
  async shutdown() {}
}
