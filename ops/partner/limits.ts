import { failure, usageError, wholeNumber } from '../../build/command-line.ts';
import { defaultLifetimeMs } from '../../shared/check-ins/check-in.ts';
import type { Account, Offer } from '../../shared/partners/account.ts';
import { defaultRemovalPercent } from '../../shared/places/removal-guard.ts';
import { defaultPushLimits, mostBulkRecipients } from '../../shared/push/push-request.ts';
import { minutes } from '../../shared/runtime/clock.ts';
import { listOf, oneOf } from '../cli/option-values.ts';
import { listing } from '../cli/plain-table.ts';
import { changedMeanwhile, effectiveAtGateway, findPartner } from './lookups.ts';
import { partnerCommand, type Run } from './partner-command.ts';
import type { Report, Session } from './session.ts';

const accountDefaults = { ...defaultPushLimits, removalPercent: defaultRemovalPercent };
type AccountLimit = keyof typeof accountDefaults;
type LimitName = AccountLimit | 'checkInMinutes';

const optionOf: Record<LimitName, string> = {
  pushesPerMinute: 'pushes-per-minute',
  bulkRecipients: 'bulk-recipients',
  multiMessages: 'multi-messages',
  removalPercent: 'removal-percent',
  checkInMinutes: 'check-in-minutes',
};
const accountLimits = Object.keys(accountDefaults) as AccountLimit[];

/** With longer lifetimes a busy place would run out of its 10,000 secret codes. */
const maxCheckInMinutes = 1_440;

export function changeLimits(run: Run) {
  const options = Object.values(optionOf);
  const names = options.join(', ');
  return partnerCommand('limits', 'Shows what is agreed with a partner, and changes what options name.')
    .option('--pushes-per-minute <n>', 'Recipients a minute, of all sends', wholeNumber(1, 1_000_000_000))
    .option('--bulk-recipients <n>', 'Recipients of one bulk send', wholeNumber(1, mostBulkRecipients))
    .option('--multi-messages <n>', 'Messages of one bulk send', wholeNumber(1, mostBulkRecipients))
    .option('--removal-percent <n>', 'Points that a list removes unconfirmed', wholeNumber(1, 100))
    .option('--check-in-minutes <n>', 'Lifetime of new check-ins', wholeNumber(1, maxCheckInMinutes))
    .option('--offer <id>', 'The offer of these check-ins')
    .option('--default <name>', `Back to the default: ${names}; may be repeated`, listOf(oneOf(options)))
    .action((partnerId, { default: defaults = [], offer, ...values }) => {
      const change = readChange(values, defaults);
      if ('checkInMinutes' in change !== (offer !== undefined)) {
        throw usageError('--check-in-minutes and --offer go together.');
      }
      return run(changeAndShow)(partnerId, offer, change);
    });
}

/** A limit that is undefined goes back to its default; one that is not in it stays. */
type Change = { [Name in LimitName]?: number | undefined };

function readChange(values: Partial<Record<LimitName, number>>, defaults: readonly string[]): Change {
  const change: Change = { ...values };
  for (const [name, option] of Object.entries(optionOf) as [LimitName, string][]) {
    if (!defaults.includes(option)) continue;
    if (name in values) throw usageError(`--${option} and --default ${option} exclude each other.`);
    change[name] = undefined;
  }
  return change;
}

async function changeAndShow(
  session: Session,
  partnerId: string,
  offerId: string | undefined,
  { checkInMinutes, ...ofAccount }: Change,
): Promise<Report> {
  const { partners } = session;
  const account = await findPartner(session, partnerId);
  if (offerId !== undefined) {
    if (!account.offerIds.includes(offerId))
      throw failure(`Offer ${offerId} does not belong to ${partnerId}.`);
    const lifetimeMs = checkInMinutes === undefined ? undefined : minutes(checkInMinutes);
    const saved = await partners.setCheckInLifetime(offerId, partnerId, lifetimeMs);
    if (!saved) throw changedMeanwhile(partnerId);
  }
  const limits = { ...account.limits, ...ofAccount };
  const accountChanges = Object.keys(ofAccount).length > 0;
  if (accountChanges && !(await partners.setLimits(account, limits))) throw changedMeanwhile(partnerId);
  const offers = await partners.offers(account.offerIds);
  const now = limitsOf({ ...account, limits }, offers, session.pushesPerMinute);
  return {
    text: [listing(limitLines(now)), ...(accountChanges ? [effectiveAtGateway] : [])].join('\n\n'),
    json: { partnerId, ...now },
  };
}

type Limits = ReturnType<typeof limitsOf>;

/** The limits of a partner, agreed or by default; check-ins have one for each offer. */
export function limitsOf({ limits, offerIds }: Account, offers: readonly Offer[], pushesPerMinute: number) {
  const defaults = { ...accountDefaults, pushesPerMinute };
  const ofOffer = (offerId: string) => {
    const agreedMs = offers.find((offer) => offer.offerId === offerId)?.checkInLifetimeMs;
    return limit(agreedMs && agreedMs / minutes(1), defaultLifetimeMs / minutes(1));
  };
  return {
    ...(Object.fromEntries(
      accountLimits.map((name) => [name, limit(limits[name], defaults[name])]),
    ) as Record<AccountLimit, ReturnType<typeof limit>>),
    checkInMinutes: Object.fromEntries(offerIds.map((offerId) => [offerId, ofOffer(offerId)])),
  };
}

function limit(agreed: number | undefined, byDefault: number) {
  return { value: agreed ?? byDefault, agreed: agreed !== undefined };
}

/** Name and value of each limit, for a listing. */
export function limitLines({ checkInMinutes, ...ofAccount }: Limits): [string, string][] {
  const all = [
    ...accountLimits.map((name) => [optionOf[name], ofAccount[name]] as const),
    ...Object.entries(checkInMinutes).map(
      ([offerId, ofOffer]) => [`${optionOf.checkInMinutes} of ${offerId}`, ofOffer] as const,
    ),
  ];
  return all.map(([name, { value, agreed }]) => [
    name,
    `${value.toLocaleString('en-US')} (${agreed ? 'agreed' : 'default'})`,
  ]);
}
