import { failure } from '../../build/command-line.ts';
import { OfferId } from '../../shared/partners/account.ts';
import { matching } from '../cli/option-values.ts';
import {
  changedMeanwhile,
  effectiveAtGateway,
  partnerCommand,
  type Run,
  type Session,
  type Yes,
  yesOption,
} from './session.ts';

/** They travel in the authorizer's answer, which stays small with these. */
const maxOffers = 100;

export function offerCommands(run: Run) {
  return [
    partnerCommand('add', 'Gives a partner an offer that belongs to nobody.')
      .argument('<offerId>', 'The offer', matching(OfferId))
      .action(run(add)),
    partnerCommand('remove', 'Takes an offer from a partner.')
      .argument('<offerId>')
      .addOption(yesOption)
      .addHelpText(
        'after',
        `
The offer belongs to nobody then, and its check-in lifetime is deleted. Its service points stay, and the partner
that gets the offer next has them.`,
      )
      .action(run(remove)),
  ];
}

async function add(session: Session, partnerId: string, offerId: string) {
  const { offerIds } = await session.findPartner(partnerId);
  if (offerIds.length >= maxOffers) throw failure(`${partnerId} has ${maxOffers} offers, which is the most.`);
  const added = await session.partners.addOffer(partnerId, offerId);
  if (added === 'there already') throw failure(`Offer ${offerId} belongs to ${partnerId} already.`);
  if (added === 'foreign')
    throw failure(`Offer ${offerId} belongs to another partner, which must lose it first.`);
  return {
    text: `Offer ${offerId} belongs to ${partnerId}. ${effectiveAtGateway}`,
    json: { partnerId, offerIds: [...offerIds, offerId] },
  };
}

async function remove(session: Session, partnerId: string, offerId: string, { yes }: Yes) {
  const { offerIds } = await session.findPartner(partnerId);
  if (!offerIds.includes(offerId)) throw failure(`Offer ${offerId} does not belong to ${partnerId}.`);
  const consequence = `Every request of ${partnerId} about offer ${offerId} will be refused.`;
  await session.confirm({ partnerId, yes }, consequence);
  if (!(await session.partners.removeOffer(partnerId, offerId))) throw changedMeanwhile(partnerId);
  return {
    text: `Offer ${offerId} belongs to nobody now. ${effectiveAtGateway}`,
    json: { partnerId, offerIds: offerIds.filter((owned) => owned !== offerId) },
  };
}
