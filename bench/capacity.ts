import { capacityCommand } from './capacity/command.ts';
import { findingsOf, reportOf } from './capacity/report.ts';

const command = capacityCommand((question) => {
  const findings = findingsOf(question);
  console.log(question.json ? JSON.stringify(findings, null, 2) : reportOf(findings));
});
// A mistake in the command line ends with 2, as with every command here.
command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2)).parse();
