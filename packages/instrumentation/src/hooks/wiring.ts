import type { Tracer } from '@opentelemetry/api';
import type { Contracts } from '@seamtrace/contracts';
import type { EnforceOverride } from '../enforce/mode.js';

/** What the hooks of a framework need of the world around them. Asked each time, since an application may set it late. */
export interface Wiring {
  readonly contracts: () => Contracts | undefined;
  /** Key of all digests; without it there are none. */
  readonly secret: () => string | undefined;
  readonly enforce: () => EnforceOverride | undefined;
  readonly tracer: () => Tracer;
}
