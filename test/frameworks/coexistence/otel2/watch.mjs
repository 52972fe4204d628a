// Given to --import: the application's own instrumentation of the framework, of another copy of OpenTelemetry's hooks.
import { register } from 'node:module';
import { InstrumentationBase, InstrumentationNodeModuleDefinition } from '@opentelemetry/instrumentation';

globalThis.ownSaw = [];
class Own extends InstrumentationBase {
  constructor() {
    super('own', '1.0.0', {});
  }

  init() {
    const patch = (module) => {
      globalThis.ownSaw.push(typeof module.Runner);
      return module;
    };
    return [new InstrumentationNodeModuleDefinition('@openai/agents-core', ['*'], patch, () => undefined)];
  }
}
new Own().enable();
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
