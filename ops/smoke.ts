import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { runProgram } from '../build/command-line.ts';
import { mutualTlsFetch } from './smoke/mutual-tls-fetch.ts';
import { smokeProgram } from './smoke/program.ts';
import { runSmoke } from './smoke/run-smoke.ts';
import { signForIam } from './smoke/sign-for-iam.ts';
import { type Stage, stageOf } from './smoke/stage.ts';

function actorsOn({ region, certificate, ...partner }: Stage, sandbox = false) {
  const connection = {
    baseUrl: partner.baseUrl,
    ...(certificate ? { fetch: mutualTlsFetch(certificate) } : {}),
  };
  const caller = { ...partner, ...connection };
  if (sandbox) return { partner: caller, sandbox };
  const signed = region ? { sign: signForIam(region, defaultProvider()) } : {};
  return { partner: caller, wallet: { ...connection, ...signed } };
}

let exitCode: 0 | 1 = 0;
const program = smokeProgram().action(async (options) => {
  const actors = actorsOn(stageOf(options, process.env), options.sandbox);
  console.log(`Smoke test of ${actors.partner.baseUrl}`);
  exitCode = await runSmoke(actors, { ...options, print: console.log });
});
process.exitCode = (await runProgram(program)) || exitCode;
