import { runProgram } from '../ops/cli/command-line.ts';
import { capacityCommand } from './capacity/command.ts';
import { estimate, formatReport } from './capacity/report.ts';

const command = capacityCommand((question) => {
  const findings = estimate(question);
  console.log(question.json ? JSON.stringify(findings, null, 2) : formatReport(findings));
});
process.exitCode = await runProgram(command);
