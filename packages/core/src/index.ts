export { decodeTracesJson } from './decode/json/request.js';
export { decodeTracesProtobuf } from './decode/protobuf/request.js';
export type {
  AttributeValue,
  DecodedLink,
  DecodedResource,
  DecodedScope,
  DecodedSpan,
  DecodeResult,
  SpanRejection,
} from './decode/types.js';
