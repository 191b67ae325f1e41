import { callbackUrl } from './simulators/partner.ts';
import type { RunningPartners } from './start-partners.ts';
import { npmRun } from './typed-command.ts';

/** What somebody should know, and the command that does or shows what it speaks of. */
export interface Note {
  readonly sentence: string;
  readonly command?: string;
}

type RunningPartner = RunningPartners['main'];

export function noteText({ sentence, command }: Note): string {
  return command === undefined ? sentence : `${sentence} ${command}`;
}

/** `words`: what follows `npm run partner --`. */
function noteWith(sentence: string, words: string, stateDir: string): Note {
  return { sentence, command: npmRun('partner', words.split(' '), stateDir) };
}

/** Why the secret that the folder knows opens nothing any more; `undefined` when it does. */
export function lostSecret(
  { login, partnerId, offerId, standing }: RunningPartner,
  stateDir: string,
): Note | undefined {
  switch (standing?.lost) {
    case undefined:
      return undefined;
    case 'partner':
      return noteWith(
        `Partner ${partnerId} was erased. This creates it again:`,
        `create ${partnerId} --login ${login} --offer ${offerId}`,
        stateDir,
      );
    case 'key':
      return noteWith(
        `The key ${login} was deleted. This lists the other keys of ${partnerId}:`,
        `keys list ${partnerId}`,
        stateDir,
      );
    case 'secret':
      return noteWith(
        `The secret of ${login} in this folder has ended: use the newer one, or make another:`,
        `rotate-secret ${partnerId} ${login}`,
        stateDir,
      );
  }
}

function accountNote(partner: RunningPartner, stateDir: string): Note | undefined {
  const { login, partnerId, offerId, standing } = partner;
  const lost = lostSecret(partner, stateDir);
  if (lost) return lost;
  if (standing?.isDisabled) {
    return noteWith(`Partner ${partnerId} is disabled. This enables it:`, `enable ${partnerId}`, stateDir);
  }
  if (standing?.mayUseOffer === false) {
    return noteWith(
      `The key ${login} may not use the offer ${offerId} any more. This shows the partner:`,
      `show ${partnerId}`,
      stateDir,
    );
  }
  return undefined;
}

function callbackNote(
  name: 'main' | 'other',
  { simulatorPort, lastSimulatorPort, [name]: { partnerId, standing } }: RunningPartners,
  stateDir: string,
): Note | undefined {
  const endpoint = standing?.endpoint;
  if (!endpoint) return undefined;
  if (endpoint.status === 'disabled') {
    return noteWith(
      `Callbacks of ${partnerId} are disabled (${endpoint.disabledReason}). This enables them:`,
      `callback enable ${partnerId}`,
      stateDir,
    );
  }
  const port = simulatorPort ?? lastSimulatorPort;
  if (port === undefined) return undefined;
  if (endpoint.url !== callbackUrl(name, port)) {
    return { sentence: `Callbacks of ${partnerId} go to ${endpoint.url}, not to the simulated partner.` };
  }
  if (simulatorPort === undefined) {
    return {
      sentence: `Callbacks of ${partnerId} are tried again later: its simulated partner does not run.`,
    };
  }
  return undefined;
}

/** Where the simulated partners are now, when that is another port than before. */
function moveNote({ main, other, simulatorPort, lastSimulatorPort }: RunningPartners): Note | undefined {
  if (simulatorPort === undefined || lastSimulatorPort === undefined) return undefined;
  if (simulatorPort === lastSimulatorPort) return undefined;
  const followed = [main, other].filter(({ standing }) => standing?.hasMoved);
  const callbacks =
    followed.length === 0
      ? 'No callback address changed.'
      : `The callback address of ${followed.map(({ partnerId }) => partnerId).join(' and ')} changed with it.`;
  const move = `Port ${lastSimulatorPort} was taken: the simulated partners listen on ${simulatorPort} now.`;
  return { sentence: `${move} ${callbacks}` };
}

/** What is not as the first start made it. */
export function partnerNotes(partners: RunningPartners, stateDir: string): Note[] {
  const names = ['main', 'other'] as const;
  return [
    moveNote(partners),
    ...names.map((name) => accountNote(partners[name], stateDir)),
    ...names.map((name) => callbackNote(name, partners, stateDir)),
  ].filter((note) => note !== undefined);
}
