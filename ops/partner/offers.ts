import { Command } from '@commander-js/extra-typings';
import { failure } from '../../build/command-line.ts';
import { OfferId } from '../../shared/partners/account.ts';
import { matching } from '../cli/option-values.ts';
import { changedMeanwhile, effectiveAtGateway, findPartner } from './lookups.ts';
import { after, confirmPartner, type Report, type Run, type Session, yesOption } from './session.ts';

/** They travel in the authorizer's answer, which stays small with these. */
const maxOffers = 100;

export function addOffer(run: Run) {
  return new Command('add')
    .description('Gives a partner an offer that belongs to nobody.')
    .argument('<partnerId>')
    .argument('<offerId>', 'The offer', matching(OfferId))
    .action((partnerId, offerId) => run((session) => add(session, partnerId, offerId)));
}

async function add(session: Session, partnerId: string, offerId: string): Promise<Report> {
  const { offerIds } = await findPartner(session, partnerId);
  if (offerIds.length >= maxOffers) throw failure(`${partnerId} has ${maxOffers} offers, which is the most.`);
  switch (await session.partners.addOffer(partnerId, offerId)) {
    case 'there already':
      throw failure(`Offer ${offerId} belongs to ${partnerId} already.`);
    case 'foreign':
      throw failure(`Offer ${offerId} belongs to another partner, which must lose it first.`);
    case 'added':
      return {
        text: `Offer ${offerId} belongs to ${partnerId}. ${effectiveAtGateway}`,
        json: { partnerId, offerIds: [...offerIds, offerId] },
      };
  }
}

export function removeOffer(run: Run) {
  return new Command('remove')
    .description('Takes an offer from a partner.')
    .argument('<partnerId>')
    .argument('<offerId>')
    .addOption(yesOption)
    .addHelpText(
      ...after(`The offer belongs to nobody then, and its check-in lifetime is deleted. Its service points stay, and the partner
that gets the offer next has them.`),
    )
    .action((partnerId, offerId, options) =>
      run(async (session) => {
        const { offerIds } = await findPartner(session, partnerId);
        if (!offerIds.includes(offerId)) throw failure(`Offer ${offerId} does not belong to ${partnerId}.`);
        const consequence = `Every request of ${partnerId} about offer ${offerId} will be refused.`;
        await confirmPartner(session, options, { partnerId, consequence });
        if (!(await session.partners.removeOffer(partnerId, offerId))) throw changedMeanwhile(partnerId);
        return {
          text: `Offer ${offerId} belongs to nobody now. ${effectiveAtGateway}`,
          json: { partnerId, offerIds: offerIds.filter((owned) => owned !== offerId) },
        };
      }),
    );
}
