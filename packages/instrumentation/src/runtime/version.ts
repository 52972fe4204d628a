/** Name and version of this package: the tracer's name, and what `seamtrace.capture.by` says. */
export const PACKAGE_NAME = '@seamtrace/instrumentation';
export const PACKAGE_VERSION = '0.1.0';

/** The value of `seamtrace.capture.by` on every span of ours (wire contract, section 3). */
export const CAPTURE_BY = `${PACKAGE_NAME}@${PACKAGE_VERSION}`;
