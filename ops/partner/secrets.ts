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
    .addOption(retire.conflicts('replace'))
    .option('--replace', 'Replace the newer of two secrets: it was lost');
}

type Rotation = { retire?: true | undefined; replace?: true | undefined };

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
  if (how.retire) {
    const { ended, consequence } = whatEnds(`secret of ${login}`, key.secrets);
    await session.confirm(partnerId, consequence);
    if (!(await keys.retire(key))) throw changedMeanwhile(partnerId);
    return { text: `${ended} ${effective.atGateway}`, json: { partnerId, login, liveSecrets: 1 } };
  }
  const { secret, stored } = newSecret(login, session);
  const isReplaced = how.replace && key.secrets.length > 1;
  if (isReplaced && !(await keys.replaceNewest(key, stored))) throw changedMeanwhile(partnerId);
  if (!isReplaced && !(await keys.addSecret(login, stored)))
    throw twoAlready(`${login} has two live secrets`);
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
  if (how.retire) {
    const { ended, consequence } = whatEnds(`signing secret of ${partnerId}`, signingSecrets);
    await session.confirm(partnerId, consequence);
    const done = await settings.retire(partnerId, by);
    if (done !== 'done') throw changedMeanwhile(partnerId);
    return { text: `${ended} ${effective.atWorkers}`, json: { partnerId, signingSecrets: 1 } };
  }
  const { outcome, signingSecret } = await settings.rotate(partnerId, { by, replace: how.replace });
  if (outcome === 'two already') throw twoAlready(`${partnerId} has two signing secrets`);
  if (outcome !== 'done') throw changedMeanwhile(partnerId);
  const text = `Callbacks of ${partnerId} carry a second signature. ${effective.atWorkers}

${shownOnce({ 'Signing secret': signingSecret })}

When ${partnerId} verifies with it: npm run partner -- callback rotate ${partnerId} --retire`;
  return { text, json: { partnerId, signingSecret, signingSecrets: 2 } };
}

function twoAlready(subject: string) {
  return failure(
    `${subject} already: end the older with --retire if the newer is known, replace the newer with --replace if it is not.`,
  );
}

/** The sentences about ending the older of two secrets: what the prompt says, and the report. */
function whatEnds(name: string, secrets: readonly { createdAt: number }[]) {
  const [oldest, newest] = creationTimes(secrets);
  if (newest === undefined) throw failure(`There is one ${name} only, and none to end.`);
  return {
    consequence: `The ${name} created ${oldest} will not work any more; the one created ${newest} stays.`,
    ended: `The ${name} created ${oldest} is ended.`,
  };
}
