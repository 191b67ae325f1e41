import { Command } from '@commander-js/extra-typings';
import { KeyLogin, OfferId, PartnerId } from '../../shared/partners/partner-ids.ts';
import { firstKey } from '../../shared/partners/partner-rows.ts';
import { failure, usageError } from '../cli/command-line.ts';
import { restoreOptions } from '../cli/damaged-row.ts';
import { oneLine, plainTable, shownOnce } from '../cli/formats.ts';
import { listOf, matching } from '../cli/option-values.ts';
import { changedMeanwhile, effective, partnerCommand, type Run, type Session } from './session.ts';

/** A transaction writes 100 rows: these offers, the first key and the partner's entry. */
const maxOffersAtFirst = 98;

export function partnerCommands(run: Run) {
  return [
    new Command('create')
      .description('Adds a partner with its first key and its offers (loyalty programs).')
      .argument('<partnerId>', 'The id of the new partner', matching(PartnerId))
      .requiredOption('--login <login>', 'Login for HTTP Basic (required)', matching(KeyLogin))
      .requiredOption(
        '--offer <id>',
        'An offer the partner owns (required); may be repeated',
        listOf(matching(OfferId)),
      )
      .addHelpText(
        'after',
        `
The secret is generated (256 random bits) and printed this once: the service stores a digest of it only.
An offer of another partner, or a partnerId or login that exists, is refused, and then nothing is added.
It takes ${maxOffersAtFirst} offers at most: the command offers add adds more.`,
      )
      .action(run(create)),
    new Command('list').description('Lists all partners.').action(run(list)),
    partnerCommand(
      'disable',
      'Refuses every request of a partner, until it is enabled.',
      'Its data stays. Callbacks of accepted messages go on: callback disable stops them.',
    ).action(run((session, partnerId) => setDisabled(session, partnerId, true))),
    partnerCommand('enable', 'Accepts requests of a disabled partner again.').action(
      run((session, partnerId) => setDisabled(session, partnerId, false)),
    ),
  ];
}

type NewPartner = { login: string; offer: string[] };

async function create(session: Session, partnerId: string, { login, offer }: NewPartner) {
  const { partners, ids, clock, toRun } = session;
  const offerIds = [...new Set(offer)];
  if (offerIds.length > maxOffersAtFirst)
    throw usageError(`It takes ${maxOffersAtFirst} offers at most: add the others with offers add.`);
  const secret = ids.token(32);
  const creation = await partners.create(firstKey({ partnerId, login, offerIds }, secret, clock.now()));
  if (creation.outcome === 'taken') {
    const taken = {
      partner: `Partner ${partnerId} exists already`,
      login: `Login ${login} belongs to another partner`,
      offer: `Offer ${creation.offerId} belongs to another partner`,
    };
    const advice = `A secret that was lost is replaced by ${toRun(`keys rotate ${partnerId} --replace`)}`;
    throw failure(
      `${taken[creation.what]}: nothing was added.${creation.what === 'partner' ? ` ${advice}` : ''}`,
    );
  }
  const text = `Partner ${partnerId} is created, with login ${login} and offer ${offerIds.join(', ')}.`;
  return {
    text: `${text}\n\n${shownOnce({ Secret: secret })}`,
    json: { partnerId, login, offerIds, secret },
  };
}

async function list(session: Session) {
  const { firstKeys, damaged } = await session.partners.list();
  const partners = firstKeys.map(({ partnerId, login, disabled, offerIds, secrets }) => {
    return { partnerId, login, disabled, offerIds, secrets: secrets.length };
  });
  const rows = partners.map(({ partnerId, login, disabled, secrets, offerIds }) => {
    return [partnerId, login, disabled ? 'disabled' : 'enabled', String(secrets), offerIds.join(', ')];
  });
  const none = 'There are no partners yet: the command create adds one.';
  const head = ['PARTNER', 'LOGIN', 'STATE', 'SECRETS', 'OFFERS'];
  const options = damaged.map((row) => oneLine(restoreOptions(row)));
  return {
    text: firstKeys.length + damaged.length > 0 ? plainTable(head, rows) : none,
    json: { partners },
    failed:
      options.length > 0
        ? `Rows are damaged or missing, and their partners not listed. Options of npm run restore for each: ${options.join('; ')}`
        : undefined,
  };
}

async function setDisabled(session: Session, partnerId: string, disabled: boolean) {
  if (disabled) {
    await session.findPartner(partnerId);
    const consequence = `Every request of ${partnerId} will be refused, and scheduled sends whose time comes until it is enabled end as CANCELLED.`;
    await session.confirm(partnerId, consequence);
  }
  if (!(await session.partners.setDisabled(partnerId, disabled))) throw await session.notChanged(partnerId);
  const state = disabled ? 'disabled' : 'enabled';
  return { text: `${partnerId} is ${state}. ${effective.atGateway}`, json: { partnerId, disabled } };
}

/** The most offers of a partner. They travel in the authorizer's response, which stays small with this many. */
const maxOffers = 100;

export function offerCommands(run: Run) {
  return [
    partnerCommand('add', 'Gives a partner an offer that belongs to nobody.')
      .argument('<offerId>', 'The offer', matching(OfferId))
      .action(run(addOffer)),
    partnerCommand(
      'remove',
      'Removes an offer from a partner.',
      `The offer belongs to nobody then, and its check-in lifetime is deleted. Its service points stay, and the partner
that gets the offer next has them.`,
    )
      .argument('<offerId>')
      .action(run(removeOffer)),
  ];
}

async function addOffer(session: Session, partnerId: string, offerId: string) {
  const { offerIds } = await session.findPartner(partnerId);
  if (offerIds.length >= maxOffers) throw failure(`${partnerId} has ${maxOffers} offers, which is the most.`);
  const added = await session.partners.addOffer(partnerId, offerId);
  if (added === 'there already') throw failure(`Offer ${offerId} belongs to ${partnerId} already.`);
  if (added === 'foreign')
    throw failure(`Offer ${offerId} belongs to another partner, which must lose it first.`);
  const text = `Offer ${offerId} belongs to ${partnerId}. ${effective.atGateway}`;
  return { text, json: { partnerId, offerIds: [...offerIds, offerId] } };
}

async function removeOffer(session: Session, partnerId: string, offerId: string) {
  const { offerIds } = await session.findPartner(partnerId);
  if (!offerIds.includes(offerId)) throw failure(`Offer ${offerId} does not belong to ${partnerId}.`);
  await session.confirm(partnerId, `Every request of ${partnerId} about offer ${offerId} will be refused.`);
  if (!(await session.partners.removeOffer(partnerId, offerId))) throw changedMeanwhile(partnerId);
  const left = offerIds.filter((owned) => owned !== offerId);
  const text = `Offer ${offerId} belongs to nobody now. ${effective.atGateway}`;
  return { text, json: { partnerId, offerIds: left } };
}
