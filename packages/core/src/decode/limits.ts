/** Array and kvlist values may nest this deep; a span whose wanted attributes go deeper is rejected. */
export const MAX_VALUE_DEPTH = 32;

/** Elements of one array or kvlist value, and wanted attributes of one span. Evidence needs a few hundred. */
export const MAX_VALUE_ITEMS = 65_536;

/**
 * Lists, kvlists and bytes inside other values, in one protobuf request. Evidence needs none, and two bytes on the wire
 * become an object of two hundred: without a bound a request of the permitted size would fill the memory of the process.
 */
export const MAX_NESTED_VALUES = 65_536;

/**
 * Spans of ours in one request; more refuse it as a whole. Ours are hundreds of bytes long, so that a request of 64 MiB
 * holds fewer; made of the shortest ones that can be, it would grow to a gigabyte.
 */
export const MAX_OWN_SPANS = 262_144;

/**
 * Spans of one request, whatever they carry; more refuse it as a whole. A collector's largest batches hold some ten thousand;
 * made of the shortest ones that can be, 64 MiB hold two millions, over which the event loop would stand for seconds.
 */
export const MAX_SPANS = 524_288;

/**
 * A request with more unreadable spans than this is refused as a whole: it is no trace request, and naming each of
 * them would cost more memory than the request itself (an empty span is two bytes).
 */
export const MAX_REJECTIONS = 10_000;

/**
 * Objects and lists in one JSON text. Parsing makes about 100 bytes of each, however short it was written; a collector's
 * largest batches hold a fifth of this.
 */
export const MAX_JSON_CONTAINERS = 2_000_000;
