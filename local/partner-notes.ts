import { callbackUrl } from './simulators/partner.ts';
import type { RunningPartners } from './start-partners.ts';
import { npmRun } from './typed-command.ts';

/** What somebody should know, and the command that does or shows what it speaks of. */
export interface Note {
  readonly sentence: string;
  readonly command?: string;
}

type RunningPartner = RunningPartners['main'];

/** A sentence, and what follows `npm run partner --`. */
type Advice = readonly [sentence: string, words?: string] | undefined;

export function noteText({ sentence, command }: Note): string {
  return command === undefined ? sentence : `${sentence} ${command}`;
}

function noteOf(advice: Advice, stateDir: string): Note[] {
  if (!advice) return [];
  const [sentence, words] = advice;
  return [words === undefined ? { sentence } : { sentence, command: npmRun('partner', words, stateDir) }];
}

function lossOf({ login, partnerId, offerId, standing }: RunningPartner): Advice {
  const losses = {
    partner: [
      `Partner ${partnerId} was erased. This creates it again:`,
      `create ${partnerId} --login ${login} --offer ${offerId}`,
    ],
    key: [
      `The key ${login} was deleted. This lists the other keys of ${partnerId}:`,
      `keys list ${partnerId}`,
    ],
    secret: [
      `The secret of ${login} in this folder has ended: use the newer one, or make another:`,
      `rotate-secret ${partnerId} ${login}`,
    ],
  } as const;
  return standing?.lost && losses[standing.lost];
}

/** Why the secret that the folder knows opens nothing any more; `undefined` when it does. */
export function lostSecret(partner: RunningPartner, stateDir: string): Note | undefined {
  return noteOf(lossOf(partner), stateDir)[0];
}

function accountAdvice(partner: RunningPartner): Advice {
  const { login, partnerId, offerId, standing } = partner;
  if (standing?.lost) return lossOf(partner);
  if (standing?.isDisabled)
    return [`Partner ${partnerId} is disabled. This enables it:`, `enable ${partnerId}`];
  if (standing?.mayUseOffer !== false) return undefined;
  const sentence = `The key ${login} may not use the offer ${offerId} any more. This shows the partner:`;
  return [sentence, `show ${partnerId}`];
}

function callbackAdvice(name: 'main' | 'other', partners: RunningPartners): Advice {
  const { simulatorPort, lastSimulatorPort, [name]: partner } = partners;
  const { partnerId, standing } = partner;
  const endpoint = standing?.endpoint;
  if (!endpoint) return undefined;
  const callbacks = `Callbacks of ${partnerId}`;
  if (endpoint.status === 'disabled') {
    const sentence = `${callbacks} are disabled (${endpoint.disabledReason}). This enables them:`;
    return [sentence, `callback enable ${partnerId}`];
  }
  const port = simulatorPort ?? lastSimulatorPort;
  if (port === undefined) return undefined;
  if (endpoint.url !== callbackUrl(name, port))
    return [`${callbacks} go to ${endpoint.url}, not to the simulated partner.`];
  if (simulatorPort !== undefined) return undefined;
  return [`${callbacks} are tried again later: its simulated partner does not run.`];
}

/** Where the simulated partners are now, when that is another port than before. */
function moveAdvice({ main, other, simulatorPort, lastSimulatorPort }: RunningPartners): Advice {
  if (simulatorPort === undefined || lastSimulatorPort === undefined) return undefined;
  if (simulatorPort === lastSimulatorPort) return undefined;
  const followed = [main, other].flatMap((one) => (one.standing?.hasMoved ? [one.partnerId] : []));
  const move = `Port ${lastSimulatorPort} was taken: the simulated partners listen on ${simulatorPort} now.`;
  if (followed.length === 0) return [`${move} No callback address changed.`];
  return [`${move} The callback address of ${followed.join(' and ')} changed with it.`];
}

/** What is not as the first start made it. */
export function partnerNotes(partners: RunningPartners, stateDir: string): Note[] {
  const names = ['main', 'other'] as const;
  return [
    moveAdvice(partners),
    ...names.map((name) => accountAdvice(partners[name])),
    ...names.map((name) => callbackAdvice(name, partners)),
  ].flatMap((advice) => noteOf(advice, stateDir));
}
