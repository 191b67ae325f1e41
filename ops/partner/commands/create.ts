import { Login, newAccount, OfferId, PartnerId } from '../../../shared/partners/account.ts';
import type { Creation } from '../../../shared/partners/partner-admin-store.ts';
import { failed, wrongUsage } from '../../cli/stop.ts';
import type { Command } from '../command.ts';
import { checked, operand } from '../whom.ts';

/** One transaction adds them all, and who owns more can add them later. */
const mostOffers = 50;

export const createPartner: Command = {
  name: 'create',
  operands: ['partnerId'],
  synopsis: '--login L --offer ID [--offer ID ...]',
  summary: 'Adds a partner with its account and its offers (loyalty programs).',
  details: `The secret is generated (256 random bits) and printed this once: the service stores a digest of it only.
An offer of another partner, or a partnerId or login that exists, is refused, and then nothing is added.`,
  options: {
    login: { value: 'L', text: 'Login for HTTP Basic' },
    offer: { value: 'ID', text: 'An offer the partner owns, as often as needed', repeatable: true },
  },
  run: async (call) => {
    const { options, partners, ids, clock } = call;
    const partnerId = checked(PartnerId, 'partnerId', operand(call, 0));
    const login = checked(Login, '--login', options.text('login'));
    const offerIds = [...new Set(options.texts('offer').map((id) => checked(OfferId, '--offer', id)))];
    if (offerIds.length === 0) throw wrongUsage('It needs one --offer at least.');
    if (offerIds.length > mostOffers) {
      throw wrongUsage(`It takes ${mostOffers} offers at most: add the others with offers add.`);
    }
    const secret = ids.token(32);
    const creation = await partners.create(newAccount({ login, partnerId, offerIds }, secret, clock.now()));
    if (creation.outcome === 'taken') throw failed(takenSentence(creation, { partnerId, login }));
    return {
      text: `Partner ${partnerId} is created, with login ${login} and offer ${offerIds.join(', ')}.

  Secret  ${secret}

This is the only time it is shown: the service keeps a digest. Hand it over where nobody else reads it.`,
      json: { partnerId, login, offerIds, secret },
    };
  },
};

function takenSentence(
  taken: Extract<Creation, { outcome: 'taken' }>,
  { partnerId, login }: { partnerId: string; login: string },
): string {
  switch (taken.what) {
    case 'partner':
      return `Partner ${partnerId} exists already: nothing was added.`;
    case 'login':
      return `Login ${login} belongs to another partner: nothing was added.`;
    case 'offer':
      return `Offer ${taken.offerId} belongs to another partner: nothing was added.`;
  }
}
