/**
 * The setting that switches export off, for the line at start; it holds while the application sets up no tracing. Read
 * without OpenTelemetry's packages, which are loaded when the first span needs them.
 */
export function exportOff(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return 'OTEL_SDK_DISABLED';
  const exporters = (env['OTEL_TRACES_EXPORTER'] ?? '').split(',').map((name) => name.trim());
  return exporters.includes('none') ? 'OTEL_TRACES_EXPORTER=none' : undefined;
}
