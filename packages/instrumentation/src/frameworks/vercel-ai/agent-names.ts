import { memberOf, ownData, text } from '../../hooks/own-data.js';

/** The settings that an agent was made with. */
export function settingsOf(agent: object): unknown {
  return memberOf(agent, 'settings').value;
}

/**
 * The name of an agent: its `id` (`name` in version 5), else the `functionId` of its telemetry, else none. The variable
 * that holds it and the tool that calls it are no names of it.
 */
export function agentName(agent: object, options: unknown): string | undefined {
  const settings = settingsOf(agent);
  return (
    text(ownData(settings, 'id')) ?? text(ownData(settings, 'name')) ?? functionId(options) ?? functionId(settings)
  );
}

function functionId(holder: unknown): string | undefined {
  const telemetry = ownData(holder, 'telemetry') ?? ownData(holder, 'experimental_telemetry');
  return text(ownData(telemetry, 'functionId'));
}

/** Instructions that the agent has by itself, or that a call without an agent brings along. */
export function ownInstructions(agent: object, options: unknown): readonly string[] {
  return [settingsOf(agent), options].flatMap((holder) =>
    ['instructions', 'system'].flatMap((name) => instructionTexts(ownData(holder, name))),
  );
}

/** Instructions are a text, or system messages. */
export function instructionTexts(given: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  return all.flatMap((each) => text(each) ?? text(ownData(each, 'content')) ?? []);
}
