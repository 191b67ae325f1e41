import { OfferId } from '../../../shared/partners/account.ts';
import { changedMeanwhile, failed } from '../../cli/stop.ts';
import type { Command } from '../command.ts';
import { atTheGateway } from '../effect.ts';
import { checked, operand, partnerOf } from '../whom.ts';

/** What an authorizer's verdict and a header stay small with. */
const mostOffers = 100;

export const addOffer: Command = {
  name: 'offers add',
  operands: ['partnerId', 'offerId'],
  summary: 'Gives a partner an offer that belongs to nobody.',
  options: {},
  run: async (call) => {
    const offerId = checked(OfferId, 'offerId', operand(call, 1));
    const { login, partnerId, offerIds } = await partnerOf(call);
    if (offerIds.length >= mostOffers)
      throw failed(`${partnerId} has ${mostOffers} offers, which is the most.`);
    const outcome = await call.partners.addOffer({ login, partnerId }, offerId);
    switch (outcome) {
      case 'there already':
        throw failed(`Offer ${offerId} belongs to ${partnerId} already.`);
      case 'foreign':
        throw failed(`Offer ${offerId} belongs to another partner, which must lose it first.`);
      case 'added':
        return {
          text: `Offer ${offerId} belongs to ${partnerId}. ${atTheGateway}`,
          json: { partnerId, offerIds: [...offerIds, offerId] },
        };
    }
  },
};

export const removeOffer: Command = {
  name: 'offers remove',
  operands: ['partnerId', 'offerId'],
  summary: 'Takes an offer from a partner.',
  details: `The offer belongs to nobody then, and its check-in lifetime is forgotten. Its service points stay, and who gets
the offer next has them.`,
  options: {},
  dangerous: () => true,
  run: async (call) => {
    const offerId = operand(call, 1);
    const account = await partnerOf(call);
    const { partnerId, offerIds } = account;
    if (!offerIds.includes(offerId)) throw failed(`Offer ${offerId} does not belong to ${partnerId}.`);
    await call.confirm(partnerId, `${partnerId} will be refused everything about offer ${offerId}.`);
    if (!(await call.partners.removeOffer(account, offerId))) throw changedMeanwhile(partnerId);
    return {
      text: `Offer ${offerId} belongs to nobody now. ${atTheGateway}`,
      json: { partnerId, offerIds: offerIds.filter((owned) => owned !== offerId) },
    };
  },
};
