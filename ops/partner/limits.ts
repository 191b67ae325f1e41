import { defaultLifetimeMs } from '../../shared/check-ins/check-in.ts';
import type { StoredKey } from '../../shared/partners/partner-rows.ts';
import { defaultRemovalPercent } from '../../shared/places/removal-guard.ts';
import { budgetRules } from '../../shared/platform/limits/request-budget.ts';
import { minutes } from '../../shared/platform/runtime/clock.ts';
import {
  defaultPushLimits,
  mostBulkRecipients,
  mostPushesPerMinute,
} from '../../shared/push/sending/push-request.ts';
import { failure, usageError } from '../cli/command-line.ts';
import { listing } from '../cli/formats.ts';
import { listOf, numberOption, oneOf, optionOf } from '../cli/option-values.ts';
import { changedMeanwhile, effective, partnerCommand, type Run, type Session } from './session.ts';

const partnerDefaults = {
  ...defaultPushLimits,
  removalPercent: defaultRemovalPercent,
  tillRequests: budgetRules.tills.standard,
  heavyRequests: budgetRules.heavy.standard,
  otherRequests: budgetRules.others.standard,
};
type PartnerLimit = keyof typeof partnerDefaults;
const partnerLimits = Object.keys(partnerDefaults) as PartnerLimit[];

/** The gateway lets no route have more in 10 s, whatever is agreed. */
const mostRequests = 20_000;

/** The longest lifetime. Beyond it a busy place would run out of its 10,000 secret codes. */
const maxCheckInMinutes = 1_440;

/** The limits to change. `undefined` restores the default, and a missing member stays as it is. */
type LimitChange = { [Name in PartnerLimit | 'checkInMinutes']?: number | undefined };
type Change = LimitChange & { offer?: string | undefined };

export function limitsCommand(run: Run) {
  const names = [...partnerLimits, 'checkInMinutes'] as const;
  const options = names.map(optionOf);
  return partnerCommand('limits', 'Shows what is agreed with a partner, and changes what options name.')
    .addOption(
      numberOption('--pushes-per-minute <n>', 'Recipients a minute, of all sends', [1, mostPushesPerMinute]),
    )
    .addOption(numberOption('--bulk-recipients <n>', 'Recipients of one bulk send', [1, mostBulkRecipients]))
    .addOption(numberOption('--multi-messages <n>', 'Messages of one bulk send', [1, mostBulkRecipients]))
    .addOption(numberOption('--removal-percent <n>', 'Points that a list removes unconfirmed', [1, 100]))
    .addOption(numberOption('--till-requests <n>', 'Requests of cash desks in 10 s', [1, mostRequests]))
    .addOption(
      numberOption('--heavy-requests <n>', 'Lists, bulk sends, reports, replays in 10 s', [1, mostRequests]),
    )
    .addOption(numberOption('--other-requests <n>', 'All other requests in 10 s', [1, mostRequests]))
    .addOption(numberOption('--check-in-minutes <n>', 'Lifetime of new check-ins', [1, maxCheckInMinutes]))
    .option('--offer <id>', 'The offer of these check-ins')
    .option(
      '--default <name>',
      `Reset ${options.join(', ')} (with --offer); may be repeated`,
      listOf(oneOf(options)),
    )
    .action((partnerId, { default: defaults = [], offer, ...values }) => {
      const reset = names.filter((name) => defaults.includes(optionOf(name)));
      const twice = reset.find((name) => name in values);
      if (twice)
        throw usageError(`--${optionOf(twice)} and --default ${optionOf(twice)} exclude each other.`);
      const change: LimitChange = {
        ...values,
        ...Object.fromEntries(reset.map((name) => [name, undefined])),
      };
      if ('checkInMinutes' in change !== (offer !== undefined))
        throw usageError('A change of check-in-minutes and --offer go together.');
      return run(changeAndShow)(partnerId, { ...change, offer });
    });
}

async function changeAndShow(session: Session, partnerId: string, change: Change) {
  const { partners } = session;
  const { offer: offerId, checkInMinutes, ...ofPartner } = change;
  const partner = await session.findPartner(partnerId);
  if (offerId !== undefined && !partner.offerIds.includes(offerId))
    throw failure(`Offer ${offerId} does not belong to ${partnerId}.`);
  const limits = { ...partner.limits, ...ofPartner };
  const partnerChanges = Object.keys(ofPartner).length > 0;
  if (partnerChanges && !(await partners.setLimits(partner, limits))) throw changedMeanwhile(partnerId);
  if (offerId !== undefined) {
    const lifetimeMs = checkInMinutes === undefined ? undefined : minutes(checkInMinutes);
    const saved = await partners.setCheckInLifetime(offerId, partnerId, lifetimeMs);
    if (!saved)
      throw failure(`Offer ${offerId} has just been removed: its check-ins have no lifetime to set.`);
  }
  const now = await limitsOf(session, { ...partner, limits });
  const text = [listing(limitLines(now)), ...(partnerChanges ? [effective.atGateway] : [])].join('\n\n');
  return { text, json: { partnerId, ...now } };
}

type Limit = { value: number; agreed: boolean };
type Limits = Record<PartnerLimit, Limit> & { checkInMinutes: Record<string, Limit> };

/** The agreed and default limits of a partner. The lifetime of check-ins belongs to each offer. */
export async function limitsOf(session: Session, { limits, offerIds }: StoredKey): Promise<Limits> {
  const offers = await session.partners.offers(offerIds);
  const defaults = { ...partnerDefaults, pushesPerMinute: session.pushesPerMinute };
  const limit = (agreed: number | undefined, byDefault: number): Limit => {
    return { value: agreed ?? byDefault, agreed: agreed !== undefined };
  };
  const ofOffer = (offerId: string) => {
    const agreedMs = offers.find((offer) => offer.offerId === offerId)?.checkInLifetimeMs;
    return limit(agreedMs && agreedMs / minutes(1), defaultLifetimeMs / minutes(1));
  };
  const ofPartner = partnerLimits.map((name) => [name, limit(limits[name], defaults[name])]);
  return {
    ...Object.fromEntries(ofPartner),
    checkInMinutes: Object.fromEntries(offerIds.map((offerId) => [offerId, ofOffer(offerId)])),
  };
}

export function limitLines({ checkInMinutes, ...ofPartner }: Limits): [string, string][] {
  const ofOffers = Object.entries(checkInMinutes).map(([id, limit]) => [`check-in-minutes of ${id}`, limit]);
  const all = [...partnerLimits.map((name) => [optionOf(name), ofPartner[name]]), ...ofOffers];
  return (all as [string, Limit][]).map(([name, { value, agreed }]) => {
    return [name, `${value.toLocaleString('en-US')} (${agreed ? 'agreed' : 'default'})`];
  });
}
