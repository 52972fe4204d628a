// Adds up what .ci/run left: `check` counts as one, the test runs by their JSON reports. A run that ended badly with no
// failed test to show for it (a crash, a file that does not load, a time limit) counts as one failure.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const reports = process.argv[2];
const exitCode = (name) => Number(readFileSync(path.join(reports, `${name}.code`), 'utf8'));

let passed = 0;
let failed = 0;
if (exitCode('check') === 0) passed += 1;
else failed += 1;

for (const name of ['test', 'integration']) {
  const file = path.join(reports, `${name}.json`);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] };
  let failedHere = 0;
  for (const { status, assertionResults, name: where, message } of report.testResults) {
    const failures = assertionResults.filter((one) => one.status === 'failed');
    passed += assertionResults.filter((one) => one.status === 'passed').length;
    failedHere += failures.length;
    for (const { fullName } of failures) console.log(`failed: ${path.relative('.', where)}: ${fullName}`);
    if (status === 'failed' && failures.length === 0) {
      failedHere += 1;
      console.log(`failed: ${path.relative('.', where)}: ${message || 'did not load'}`);
    }
  }
  if (exitCode(name) !== 0 && failedHere === 0) {
    failedHere = 1;
    console.log(`failed: ${name} ended with exit code ${exitCode(name)}`);
  }
  failed += failedHere;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
