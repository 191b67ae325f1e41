import { Command } from '@commander-js/extra-typings';
import { failure, usageError } from '../../build/command-line.ts';
import { Login, newAccount, OfferId, PartnerId } from '../../shared/partners/account.ts';
import { listOf, matching } from '../cli/option-values.ts';
import { plainTable } from '../cli/plain-table.ts';
import { changedMeanwhile, effectiveAtGateway, findPartner } from './lookups.ts';
import { after, partnerCommand, type Run, yesOption } from './partner-command.ts';
import { confirmPartner, type Report, type Session, type Yes } from './session.ts';
import { stateOf } from './show.ts';

/** One transaction adds them all, and a partner that owns more gets them later. */
const maxOffers = 50;

export function createPartner(run: Run) {
  return new Command('create')
    .description('Adds a partner with its account and its offers (loyalty programs).')
    .argument('<partnerId>', 'The id of the new partner', matching(PartnerId))
    .requiredOption('--login <login>', 'Login for HTTP Basic', matching(Login))
    .option('--offer <id>', 'An offer the partner owns; may be repeated', listOf(matching(OfferId)))
    .addHelpText(
      ...after(`The secret is generated (256 random bits) and printed this once: the service stores a digest of it only.
An offer of another partner, or a partnerId or login that exists, is refused, and then nothing is added.`),
    )
    .action((partnerId, { login, offer = [] }) => {
      const offerIds = [...new Set(offer)];
      if (offerIds.length === 0) throw usageError('It needs one --offer at least.');
      if (offerIds.length > maxOffers) {
        throw usageError(`It takes ${maxOffers} offers at most: add the others with offers add.`);
      }
      return run(create)({ partnerId, login, offerIds });
    });
}

type Identity = Parameters<typeof newAccount>[0];

async function create({ partners, ids, clock }: Session, identity: Identity): Promise<Report> {
  const { partnerId, login, offerIds } = identity;
  const secret = ids.token(32);
  const creation = await partners.create(newAccount(identity, secret, clock.now()));
  if (creation.outcome === 'taken') {
    const taken = {
      partner: `Partner ${partnerId} exists already`,
      login: `Login ${login} belongs to another partner`,
      offer: `Offer ${creation.offerId} belongs to another partner`,
    };
    throw failure(`${taken[creation.what]}: nothing was added.`);
  }
  return {
    text: `Partner ${partnerId} is created, with login ${login} and offer ${offerIds.join(', ')}.

  Secret  ${secret}

This is the only time it is shown: the service keeps a digest. Hand it over where nobody else reads it.`,
    json: { partnerId, login, offerIds, secret },
  };
}

export function listPartners(run: Run) {
  return new Command('list').description('Lists all partners.').action(run(list));
}

async function list(session: Session): Promise<Report> {
  const accounts = await session.partners.list();
  const partners = accounts.map(({ partnerId, login, disabled, offerIds, secrets }) => {
    return { partnerId, login, disabled, offerIds, secrets: secrets.length };
  });
  const rows = partners.map((partner) => {
    const { partnerId, login, secrets, offerIds } = partner;
    return [partnerId, login, stateOf(partner), String(secrets), offerIds.join(', ')];
  });
  const none = 'There are no partners yet: the command create adds one.';
  return {
    text: rows.length > 0 ? plainTable(['PARTNER', 'LOGIN', 'STATE', 'SECRETS', 'OFFERS'], rows) : none,
    json: { partners },
  };
}

export function disablePartner(run: Run) {
  return partnerCommand('disable', 'Refuses every request of a partner, until it is enabled.')
    .addOption(yesOption)
    .addHelpText(
      ...after('Its data stays. Callbacks of accepted messages go on: callback disable stops them.'),
    )
    .action(run(disable));
}

async function disable(session: Session, partnerId: string, { yes }: Yes): Promise<Report> {
  await findPartner(session, partnerId);
  await confirmPartner(session, { partnerId, yes }, `Every request of ${partnerId} will be refused.`);
  return setDisabled(session, partnerId, true);
}

export function enablePartner(run: Run) {
  const description = 'Takes requests of a disabled partner again.';
  return partnerCommand('enable', description).action(run(enable));
}

async function enable(session: Session, partnerId: string): Promise<Report> {
  await findPartner(session, partnerId);
  return setDisabled(session, partnerId, false);
}

async function setDisabled(session: Session, partnerId: string, disabled: boolean): Promise<Report> {
  if (!(await session.partners.setDisabled(partnerId, disabled))) throw changedMeanwhile(partnerId);
  return {
    text: `${partnerId} is ${disabled ? 'disabled' : 'enabled'}. ${effectiveAtGateway}`,
    json: { partnerId, disabled },
  };
}
