import { toolSign } from './tool-sign.js';
import { type Dialect, MARK } from './types.js';

/** CrewAI's own telemetry, which only its scope tells apart. A crew and its tasks are no agents. */
export const crewAi: Dialect = {
  name: 'crewai',
  read(span) {
    if (span.scope !== 'crewai.telemetry') return undefined;
    const tool = span.name === 'Tool Usage' ? span.text('tool_name') : undefined;
    return tool === undefined ? MARK : toolSign(span, { tool, args: undefined });
  },
};
