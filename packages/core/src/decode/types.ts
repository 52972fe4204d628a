import type { Outline } from './outline.js';

/**
 * An attribute value as OTLP carries it. Nothing is coerced, so that evidence of a wrong type stays visible:
 * `bigint` is an `int_value`, `number` a `double_value`, `null` an empty value, a `Map` a kvlist.
 */
export type AttributeValue =
  | string
  | boolean
  | bigint
  | number
  | Uint8Array
  | null
  | readonly AttributeValue[]
  | ReadonlyMap<string, AttributeValue>;

export interface DecodedResource {
  readonly serviceName: string | undefined;
}

export interface DecodedScope {
  readonly name: string;
  readonly version: string;
}

export interface DecodedLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** A span, reduced to what evidence needs. Ids are lower-case hex; times are Unix nanoseconds. */
export interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentSpanId: string;
  readonly name: string;
  /** OTLP span kind number; 0 when not stated. */
  readonly kind: number;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint;
  /** OTLP status code: 0 unset, 1 ok, 2 error. */
  readonly statusCode: number;
  /** Only the attributes that some extractor asks for; prompts and messages are never materialised. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly links: readonly DecodedLink[];
  readonly resource: DecodedResource;
  readonly scope: DecodedScope;
}

/** A span that could not be read while the rest of the request could. */
export interface SpanRejection {
  /** Position of the span in the request, counted from 0 over all resources and scopes. */
  readonly index: number;
  /** What is wrong and where, in English, fit for a partial success message. */
  readonly reason: string;
}

export type DecodeResult =
  | {
      readonly ok: true;
      /** Every span that carries something of ours, under whatever key of our namespace. */
      readonly spans: readonly DecodedSpan[];
      /** Where all other spans stand in their traces; `undefined` where there are none. */
      readonly outline: Outline | undefined;
      readonly received: number;
      /** Spans that could be read and are not among `spans`. */
      readonly ignored: number;
      readonly rejections: readonly SpanRejection[];
      /**
       * Strings that were read and hold bytes that are no UTF-8, each replaced by U+FFFD. What nobody asks for is not
       * looked at. Always 0 for a JSON text: whoever made the text of the bytes knows.
       */
      readonly invalidUtf8: number;
    }
  | { readonly ok: false; readonly message: string };
