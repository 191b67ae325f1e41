import { callbackUrl } from './simulators/partner.ts';
import type { RunningPartners } from './start-partners.ts';
import { npmRun } from './typed-command.ts';

/** A difference from the first start, and the command that shows it or changes it back. */
export interface Note {
  readonly sentence: string;
  readonly command?: string;
}

type Name = 'main' | 'other';

export function noteText({ sentence, command }: Note): string {
  return command === undefined ? sentence : `${sentence} ${command}`;
}

/** Says what was changed of a partner since the first start; `undefined` when nothing was. */
export function changeNote(name: Name, partners: RunningPartners, stateDir: string): Note | undefined {
  const { [name]: partner, simulatorPort, lastSimulatorPort } = partners;
  const { login, partnerId, offerId, standing } = partner;
  if (standing?.lost === 'partner') {
    const words = `create ${partnerId} --login ${login} --offer ${offerId}`;
    const sentence = `Partner ${partnerId} was erased. This creates it again:`;
    return { sentence, command: npmRun('partner', words, stateDir) };
  }
  const port = simulatorPort ?? lastSimulatorPort;
  const { lost, endpoint, isDisabled = false, mayUseOffer = true } = standing ?? {};
  const changes = [
    lost === 'key' && `its key ${login} was deleted`,
    lost === 'secret' && `the secret of ${login} in this folder has ended`,
    isDisabled && 'it is disabled',
    !lost && !isDisabled && !mayUseOffer && `its key ${login} may not use the offer ${offerId}`,
    endpoint?.status === 'disabled' && `its callbacks are disabled (${endpoint.disabledReason})`,
    endpoint && port && endpoint.url !== callbackUrl(name, port) && `its callbacks go to ${endpoint.url}`,
  ].filter((change) => change);
  if (changes.length === 0) return undefined;
  const sentence = `Partner ${partnerId} was changed: ${changes.join('; ')}. This shows it:`;
  return { sentence, command: npmRun('partner', `show ${partnerId}`, stateDir) };
}

/** Everything that is not as the first start made it. */
export function partnerNotes(partners: RunningPartners, stateDir: string): Note[] {
  const { simulatorPort: port, lastSimulatorPort: lastPort } = partners;
  const hasMoved = port !== undefined && lastPort !== undefined && port !== lastPort;
  const move = `Port ${lastPort} was taken: the simulated partners listen on ${port} now, and callback addresses that were theirs follow them.`;
  const changes = (['main', 'other'] as const).map((name) => changeNote(name, partners, stateDir));
  return [...(hasMoved ? [{ sentence: move }] : []), ...changes.filter((note) => note !== undefined)];
}
