import { Option } from '@commander-js/extra-typings';
import { failure } from '../../build/command-line.ts';
import { newSecret } from '../../shared/partners/key-rules.ts';
import { shownOnce } from '../cli/formats.ts';
import { findKey } from './keys.ts';
import type { Run, Session } from './session.ts';
import { changedMeanwhile, creationTimes, effective, partnerCommand } from './session.ts';

/** A command that rotates a secret; `typed` has its arguments: `callback rotate <partnerId>`. */
function rotation(typed: string, description: string, meanwhile: string) {
  const name = typed.replace(/ <.*/, '').replace('callback ', '');
  const details = `A rotation takes two steps:
  1. ${typed}            makes the new secret and prints it this once
  2. ${typed} --retire   when the partner uses the new one
${meanwhile}
A third secret is refused.`;
  const retire = new Option('--retire', 'End the older of two secrets: the partner has changed over');
  return partnerCommand(name, description, details)
    .addOption(retire.conflicts('undo'))
    .option('--undo', 'End the newer of two secrets: it was lost, or never used');
}

type Rotation = { retire?: true | undefined; undo?: true | undefined };

export function rotateSecretCommand(run: Run) {
  return rotation(
    'rotate-secret <partnerId> [login]',
    'Gives a key of a partner a second secret; with --retire, ends the first.',
    'Both secrets work until then. The service stores digests of them only.',
  )
    .argument('[login]', 'The key; may be left out where there is only one')
    .action(run(rotateSecret));
}

async function rotateSecret(session: Session, partnerId: string, named: string | undefined, how: Rotation) {
  const { keys } = session;
  const key = await findKey(session, partnerId, named);
  const { login } = key;
  if (how.retire || how.undo) {
    const { ended, consequence } = whatEnds(`secret of ${login}`, key.secrets, how);
    await session.confirm(partnerId, consequence);
    if (!(await keys.keepSecret(key, how.retire ? 'newest' : 'oldest'))) throw changedMeanwhile(partnerId);
    return { text: `${ended} ${effective.atGateway}`, json: { partnerId, login, liveSecrets: 1 } };
  }
  const { secret, stored } = newSecret(login, session);
  if (!(await keys.addSecret(login, stored))) throw twoAlready(`${login} has two live secrets`);
  const text = `${login} has a second live secret. It works at once, and the first one goes on working.

${shownOnce({ Login: login, Secret: secret })}

When ${partnerId} has changed over: npm run partner -- rotate-secret ${partnerId} ${login} --retire`;
  return { text, json: { partnerId, login, secret, liveSecrets: 2 } };
}

export function rotateSigningCommand(run: Run) {
  return rotation(
    'callback rotate <partnerId>',
    'Signs callbacks with a second secret too; with --retire, ends the first.',
    'Callbacks carry both signatures until then. The service stores the secrets as they are: it signs with them.',
  ).action(run(rotateSigning));
}

async function rotateSigning(session: Session, partnerId: string, how: Rotation) {
  const { settings, operator: by } = session;
  const { signingSecrets } = await session.findEndpoint(partnerId);
  if (how.retire || how.undo) {
    const { ended, consequence } = whatEnds(`signing secret of ${partnerId}`, signingSecrets, how);
    await session.confirm(partnerId, consequence);
    const done = await settings.retire(partnerId, { ended: how.retire ? 'older' : 'newer', by });
    if (done !== 'done') throw changedMeanwhile(partnerId);
    return { text: `${ended} ${effective.atWorkers}`, json: { partnerId, signingSecrets: 1 } };
  }
  const { outcome, signingSecret } = await settings.rotate(partnerId, by);
  if (outcome === 'two already') throw twoAlready(`${partnerId} has two signing secrets`);
  if (outcome !== 'done') throw changedMeanwhile(partnerId);
  const text = `Callbacks of ${partnerId} carry a second signature. ${effective.atWorkers}

${shownOnce({ 'Signing secret': signingSecret })}

When ${partnerId} verifies with it: npm run partner -- callback rotate ${partnerId} --retire`;
  return { text, json: { partnerId, signingSecret, signingSecrets: 2 } };
}

function twoAlready(subject: string) {
  return failure(`${subject} already: end the older with --retire, or take the newer back with --undo.`);
}

/** The sentences about ending one of two secrets: what the prompt says, and the report. */
function whatEnds(name: string, secrets: readonly { createdAt: number }[], { retire }: Rotation) {
  const [oldest, newest] = creationTimes(secrets);
  if (newest === undefined) throw failure(`There is one ${name} only, and none to end.`);
  const { ended, kept } = retire ? { ended: oldest, kept: newest } : { ended: newest, kept: oldest };
  return {
    consequence: `The ${name} created ${ended} will not work any more; the one created ${kept} stays.`,
    ended: `The ${name} created ${ended} is ended.`,
  };
}
