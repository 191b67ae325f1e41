import { Command } from '@commander-js/extra-typings';
import { failure, usageError, wholeNumber } from '../../../build/command-line.ts';
import type { Account } from '../../../shared/partners/account.ts';
import { minutes } from '../../../shared/runtime/clock.ts';
import { listOf, oneOf } from '../../cli/option-values.ts';
import { listing } from '../../cli/plain-table.ts';
import {
  checkInMinutes,
  limitLines,
  limitNames,
  limitsOf,
  type PushLimit,
  pushLimits,
} from '../account-limits.ts';
import { changedMeanwhile, findPartner } from '../lookups.ts';
import { effectiveAtGateway } from '../propagation.ts';
import type { Report, Run, Session } from '../session.ts';

const { pushesPerMinute, bulkRecipients, multiMessages } = pushLimits;

export function changeLimits(run: Run) {
  return new Command('limits')
    .description('Shows what is agreed with a partner, and changes what options name.')
    .argument('<partnerId>')
    .option(
      '--pushes-per-minute <n>',
      'Messages a minute, counted in recipients, of all kinds of sends',
      wholeNumber(1, pushesPerMinute.max),
    )
    .option(
      '--bulk-recipients <n>',
      'Recipients of one request that sends a message to many',
      wholeNumber(1, bulkRecipients.max),
    )
    .option(
      '--multi-messages <n>',
      'Messages of one request that sends many',
      wholeNumber(1, multiMessages.max),
    )
    .option(
      '--check-in-minutes <n>',
      'How long new check-ins of the offer live',
      wholeNumber(1, checkInMinutes.max),
    )
    .option('--offer <id>', 'The offer whose check-ins are meant')
    .option(
      '--default <name>',
      `Back to the default: ${limitNames.join(', ')}; may be repeated`,
      listOf(oneOf(limitNames)),
    )
    .action((partnerId, { default: defaults, offer, ...values }) => {
      const change = readChange(values, new Set(defaults), offer);
      return run((session) => changeAndShow(session, partnerId, change));
    });
}

/** A limit that is null goes back to its default. */
interface Change {
  readonly push: Partial<Record<PushLimit, number | null>>;
  readonly lifetime?: { offerId: string; minutes: number | null };
}

type Values = Partial<Record<PushLimit | 'checkInMinutes', number>>;

function readChange(values: Values, defaults: ReadonlySet<string>, offerId: string | undefined): Change {
  const changed = (member: keyof Values, option: string) => {
    const value = values[member];
    if (!defaults.has(option)) return value;
    if (value !== undefined) throw usageError(`--${option} and --default ${option} exclude each other.`);
    return null;
  };
  const push = (Object.keys(pushLimits) as PushLimit[]).flatMap((member) => {
    const value = changed(member, pushLimits[member].option);
    return value === undefined ? [] : [[member, value] as const];
  });
  const lifetime = changed('checkInMinutes', checkInMinutes.option);
  if ((lifetime === undefined) !== (offerId === undefined)) {
    throw usageError(`--${checkInMinutes.option} and --offer go together.`);
  }
  return {
    push: Object.fromEntries(push),
    ...(lifetime === undefined || offerId === undefined ? {} : { lifetime: { offerId, minutes: lifetime } }),
  };
}

async function changeAndShow(session: Session, partnerId: string, change: Change): Promise<Report> {
  const { partners } = session;
  const account = await findPartner(session, partnerId);
  if (change.lifetime) await saveLifetime(session, account, change.lifetime);
  const limits = withChange(account, change.push);
  const pushChanges = Object.keys(change.push).length > 0;
  if (pushChanges && !(await partners.setLimits(account, limits))) throw changedMeanwhile(partnerId);
  const now = limitsOf({ ...account, limits }, await partners.offers(account.offerIds));
  return {
    text: [listing(limitLines(now)), ...(pushChanges ? [effectiveAtGateway] : [])].join('\n\n'),
    json: { partnerId, ...now },
  };
}

function withChange({ limits }: Account, change: Change['push']): Account['limits'] {
  const all = { ...limits, ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Account['limits'];
}

async function saveLifetime(
  { partners }: Session,
  { partnerId, offerIds }: Account,
  lifetime: NonNullable<Change['lifetime']>,
): Promise<void> {
  const { offerId } = lifetime;
  if (!offerIds.includes(offerId)) throw failure(`Offer ${offerId} does not belong to ${partnerId}.`);
  const lifetimeMs = lifetime.minutes === null ? undefined : minutes(lifetime.minutes);
  const saved = await partners.setCheckInLifetime(offerId, partnerId, lifetimeMs);
  if (!saved) throw changedMeanwhile(partnerId);
}
