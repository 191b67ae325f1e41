import { runProgram } from '../ops/cli/command-line.ts';
import { capacityCommand } from './capacity/command.ts';
import { findingsOf, reportOf } from './capacity/report.ts';

const command = capacityCommand((question) => {
  const findings = findingsOf(question);
  console.log(question.json ? JSON.stringify(findings, null, 2) : reportOf(findings));
});
process.exitCode = await runProgram(command);
