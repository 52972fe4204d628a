/** Array and kvlist values may nest this deep; a span whose wanted attributes go deeper is rejected. */
export const MAX_VALUE_DEPTH = 32;

/** Elements of one array or kvlist value, and wanted attributes of one span. Evidence needs a few hundred. */
export const MAX_VALUE_ITEMS = 65_536;

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
