import { runProgram } from '../../build/command-line.ts';
import { withTarget } from '../cli/target.ts';
import { partnerProgram } from './program.ts';
import { type PartnerDeps, sessionOn } from './session.ts';

/** Runs what stands behind `npm run partner --` and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runPartner(words: readonly string[], deps: PartnerDeps): Promise<0 | 1 | 2> {
  const program = partnerProgram((work) => async (...args) => {
    const { json, ...options } = program.opts();
    const report = await withTarget(options, (target) => work(sessionOn(target, deps), ...args));
    deps.terminal.print(json ? JSON.stringify(report.json, null, 2) : report.text);
  });
  // `help callbacks list`: commander's own help command knows one word only.
  const [first, ...others] = words;
  return runProgram(program, first === 'help' ? [...others, '--help'] : words, deps.terminal);
}
