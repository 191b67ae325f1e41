import {
  type Endpoint,
  newSigningSecret,
  withNewestSecretOnly,
  withOldestSecretOnly,
  withSigningSecret,
} from '../../../shared/callbacks/endpoint.ts';
import { changedMeanwhile, failed } from '../../cli/stop.ts';
import type { Call, Command, Report } from '../command.ts';
import { atTheWorkers } from '../effect.ts';
import { ending, endingOptions, rotationDetails } from '../rotation.ts';
import { endpointOf, partnerOf } from '../whom.ts';

export const rotateCallbackSecret: Command = {
  name: 'callback rotate',
  operands: ['partnerId'],
  synopsis: '[--retire | --undo]',
  summary: 'Signs callbacks with a second secret too; with --retire, ends the first.',
  details: rotationDetails(
    'Callbacks carry both signatures until then. The service stores the secrets as they are: it signs with them.',
    'callback rotate',
  ),
  options: endingOptions,
  dangerous: (options) => ending(options) !== undefined,
  run: async (call) => {
    const { partnerId } = await partnerOf(call);
    const endpoint = await endpointOf(call, partnerId);
    const kept = ending(call.options);
    return kept === undefined ? add(call, endpoint) : end(call, endpoint, kept);
  },
};

async function add({ endpoints, ids, clock }: Call, endpoint: Endpoint): Promise<Report> {
  const { partnerId } = endpoint;
  if (endpoint.signingSecrets.length > 1) {
    throw failed(
      `${partnerId} has two signing secrets already: end the older with --retire, or take the newer back with --undo.`,
    );
  }
  const added = newSigningSecret(ids, clock.now());
  if (!(await endpoints.replace(withSigningSecret(endpoint, added), endpoint)))
    throw changedMeanwhile(partnerId);
  return {
    text: `Callbacks of ${partnerId} carry a second signature. ${atTheWorkers}

  Signing secret  ${added.secret}

This is the only time it is shown. When ${partnerId} verifies with it:
npm run partner -- callback rotate ${partnerId} --retire`,
    json: { partnerId, signingSecret: added.secret, signingSecrets: 2 },
  };
}

async function end(call: Call, endpoint: Endpoint, kept: 'newest' | 'oldest'): Promise<Report> {
  const { partnerId } = endpoint;
  if (endpoint.signingSecrets.length < 2) {
    throw failed(`${partnerId} has one signing secret only: there is none to end.`);
  }
  const goes = kept === 'newest' ? 'older' : 'newer';
  await call.confirm(
    partnerId,
    `Callbacks of ${partnerId} will not be signed with the ${goes} secret any more.`,
  );
  const left = kept === 'newest' ? withNewestSecretOnly(endpoint) : withOldestSecretOnly(endpoint);
  if (!(await call.endpoints.replace(left, endpoint))) throw changedMeanwhile(partnerId);
  return {
    text: `The ${goes} signing secret of ${partnerId} is ended. ${atTheWorkers}`,
    json: { partnerId, signingSecrets: 1 },
  };
}
