import type { AppResult } from '../run-app.js';

/** What was found of one scenario, one line a handoff: `source>target verdict missing reason`. */
export function verdicts({ grades }: AppResult, scenario: string): readonly string[] {
  const short = (name: string | null) => name?.replace(`${scenario}_`, '') ?? '?';
  return grades
    .filter(({ source }) => source?.startsWith(`${scenario}_`))
    .map((each) =>
      [`${short(each.source)}>${short(each.target)}`, each.verdict, ...each.missing_keys, each.reason ?? '']
        .join(' ')
        .trim(),
    )
    .sort();
}

export function findings({ grades }: AppResult, scenario: string): readonly string[] {
  const found = grades
    .filter(({ source }) => source?.startsWith(`${scenario}_`))
    .flatMap((each) => each.findings.map(({ id }) => id));
  return [...new Set(found)].sort();
}
