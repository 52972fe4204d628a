/** Header of HTTP requests and queue messages, and the key for any other `TextMapSetter`: base64url of the JSON object. */
export const HANDOFF_HEADER = 'seamtrace-handoff';

/** Baggage member with the bare identity, `<id>~<attempt>~<hop>`. */
export const HANDOFF_BAGGAGE_KEY = 'seamtrace.handoff';

/** Key in the `metadata` of an A2A message (wire contract, section 9). */
export const A2A_HANDOFF_KEY = 'https://seamtrace.dev/a2a/handoff/v1';

/** Key in the `_meta` of an MCP request's `params` (wire contract, section 9). */
export const MCP_HANDOFF_KEY = 'dev.seamtrace/handoff';

/** Largest JSON object that is carried or read, in UTF-8 bytes (wire contract, section 9). */
export const MAX_CARRIED_BYTES = 4_096;

/** The baggage member, key and value together, stays under this many bytes (wire contract, section 9). */
export const MAX_BAGGAGE_MEMBER_BYTES = 256;
