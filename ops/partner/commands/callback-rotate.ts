import { Command } from '@commander-js/extra-typings';
import { failure } from '../../../build/command-line.ts';
import {
  type Endpoint,
  newSigningSecret,
  withNewestSecretOnly,
  withOldestSecretOnly,
  withSigningSecret,
} from '../../../shared/callbacks/endpoint.ts';
import { changedMeanwhile, findEndpoint, findPartner } from '../lookups.ts';
import { effectiveAtWorkers } from '../propagation.ts';
import { keptSecret, retireOption, rotationHelp, undoOption } from '../rotation.ts';
import { confirmPartner, type Report, type Run, type Session, yesOption } from '../session.ts';

export function rotateCallbackSecret(run: Run) {
  return new Command('rotate')
    .description('Signs callbacks with a second secret too; with --retire, ends the first.')
    .argument('<partnerId>')
    .addOption(retireOption)
    .addOption(undoOption)
    .addOption(yesOption)
    .addHelpText(
      'after',
      rotationHelp(
        'Callbacks carry both signatures until then. The service stores the secrets as they are: it signs with them.',
        'callback rotate',
      ),
    )
    .action((partnerId, options) =>
      run(async (session) => {
        await findPartner(session, partnerId);
        const endpoint = await findEndpoint(session, partnerId);
        const kept = keptSecret(options);
        if (kept === undefined) return addSecret(session, endpoint);
        if (endpoint.signingSecrets.length < 2) {
          throw failure(`${partnerId} has one signing secret only: there is none to end.`);
        }
        const ended = kept === 'newest' ? 'older' : 'newer';
        const consequence = `Callbacks of ${partnerId} will not be signed with the ${ended} secret any more.`;
        await confirmPartner(session, options, { partnerId, consequence });
        const left = kept === 'newest' ? withNewestSecretOnly(endpoint) : withOldestSecretOnly(endpoint);
        if (!(await session.endpoints.replace(left, endpoint))) throw changedMeanwhile(partnerId);
        return {
          text: `The ${ended} signing secret of ${partnerId} is ended. ${effectiveAtWorkers}`,
          json: { partnerId, signingSecrets: 1 },
        };
      }),
    );
}

async function addSecret({ endpoints, ids, clock }: Session, endpoint: Endpoint): Promise<Report> {
  const { partnerId } = endpoint;
  if (endpoint.signingSecrets.length > 1) {
    throw failure(
      `${partnerId} has two signing secrets already: end the older with --retire, or take the newer back with --undo.`,
    );
  }
  const added = newSigningSecret(ids, clock.now());
  if (!(await endpoints.replace(withSigningSecret(endpoint, added), endpoint)))
    throw changedMeanwhile(partnerId);
  return {
    text: `Callbacks of ${partnerId} carry a second signature. ${effectiveAtWorkers}

  Signing secret  ${added.secret}

This is the only time it is shown. When ${partnerId} verifies with it:
npm run partner -- callback rotate ${partnerId} --retire`,
    json: { partnerId, signingSecret: added.secret, signingSecrets: 2 },
  };
}
