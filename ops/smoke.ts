import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { runProgram, usageError } from './cli/command-line.ts';
import { type Caller, request } from './scenario/client.ts';
import { reporter } from './scenario/reporter.ts';
import { playScenario } from './scenario/scenario.ts';
import { smokeScript } from './scenario/smoke-script.ts';
import { cleanUp } from './smoke/clean-up.ts';
import { mutualTlsFetch } from './smoke/mutual-tls-fetch.ts';
import { type SmokeOptions, type Stage, smokeProgram, stageOf } from './smoke/program.ts';
import { selfServiceAct } from './smoke/self-service-act.ts';
import { signForIam } from './smoke/sign-for-iam.ts';

/**
 * Plays the scenario on little data against any stage. Callbacks are checked only if the wallet platform is simulated,
 * because they need a receiver that the stage can reach.
 */
async function runSmoke({ region, certificate, ...partner }: Stage, options: SmokeOptions): Promise<0 | 1> {
  const { sandbox } = options;
  const { baseUrl } = partner;
  const target = { baseUrl, ...(certificate ? { fetch: mutualTlsFetch(certificate) } : {}) };
  if (sandbox) await demandSimulatedWallet({ ...partner, ...target });
  console.log(`Smoke test of ${baseUrl}`);
  const adviceIfRefused = ': check SMOKE_LOGIN, SMOKE_SECRET and SMOKE_OFFER_ID';
  const report = reporter({ print: console.log, narrate: false, adviceIfRefused });
  const connection = { ...target, onReply: report.onReply };
  const wallet = { ...connection, ...(region ? { sign: signForIam(region, defaultProvider()) } : {}) };
  const caller = { ...partner, ...connection };
  const polling = { timeoutSeconds: 60, intervalMs: 300 };
  const actors = { report, polling, partner: caller, ...(sandbox ? { sandbox } : { wallet }) };
  const { push, ...others } = smokeScript();
  const script = options.push ? { ...others, push } : others;
  await report.attempt(() => playScenario(actors, script));
  await report.attempt(() => selfServiceAct(actors, script.checkIn.place.itemId));
  // Clean up also after a failure.
  await report.attempt(() => cleanUp(actors, script));
  return report.end();
}

/** Throws if the wallet platform is real: then the gateway has no routes below /sandbox. */
async function demandSimulatedWallet(partner: Caller): Promise<void> {
  // Without a response the first step of the scenario says why.
  const reply = await request(partner, 'GET /sandbox/callbacks').catch(() => undefined);
  if (reply?.status !== 404) return;
  throw usageError(
    `${partner.baseUrl} has a real wallet platform: leave --sandbox out, and use AWS credentials that may call its /wallet routes.`,
  );
}

const program = smokeProgram().action(async (options) => {
  process.exitCode = await runSmoke(stageOf(options, process.env), options);
});
process.exitCode = (await runProgram(program)) || process.exitCode;
