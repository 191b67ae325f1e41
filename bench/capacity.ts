import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { costOf } from './capacity/cost.ts';
import { documentFile, renewed } from './capacity/document.ts';
import { demandOf } from './capacity/limits.ts';
import { memoryReport } from './capacity/memory.ts';
import { help, readOptions } from './capacity/options.ts';
import { plotFile, plotOf, runAll } from './capacity/plot.ts';
import { reportOf, simulationReport } from './capacity/report.ts';
import { usageOf } from './capacity/usage.ts';

const command = readOptions(process.argv.slice(2));

switch (command.kind) {
  case 'help':
    console.log(help);
    break;
  case 'mistake':
    console.error(command.sentence);
    process.exitCode = 2;
    break;
  case 'plot': {
    const runs = runAll();
    mkdirSync(dirname(plotFile), { recursive: true });
    writeFileSync(plotFile, plotOf(runs));
    writeFileSync(documentFile, renewed(readFileSync(documentFile, 'utf8'), runs));
    console.log(`written: ${plotFile}, and the tables of ${documentFile}`);
    break;
  }
  case 'memory':
    console.log(memoryReport());
    break;
  case 'simulate': {
    const runs = runAll();
    console.log(command.json ? JSON.stringify(runs, null, 2) : simulationReport(runs));
    break;
  }
  case 'report': {
    const { name, load } = command;
    const usage = usageOf(load);
    const findings = { name, load, usage, cost: costOf(usage), demand: demandOf(load) };
    console.log(command.json ? JSON.stringify(findings, null, 2) : reportOf(findings));
  }
}
