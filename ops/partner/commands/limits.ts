import type { Account } from '../../../shared/partners/account.ts';
import { minutes } from '../../../shared/runtime/clock.ts';
import type { Options } from '../../cli/options.ts';
import { listing } from '../../cli/plain-table.ts';
import { changedMeanwhile, failed, wrongUsage } from '../../cli/stop.ts';
import { checkInOption, limitLines, limitsOf, mostCheckInMinutes, pushLimits } from '../agreed-limits.ts';
import type { Call, Command } from '../command.ts';
import { atTheGateway } from '../effect.ts';
import { partnerOf } from '../whom.ts';

const names = [...pushLimits.map(({ option }) => option), checkInOption] as const;

export const changeLimits: Command = {
  name: 'limits',
  operands: ['partnerId'],
  synopsis:
    '[--pushes-per-minute N] [--bulk-recipients N] [--multi-messages N] [--check-in-minutes N --offer ID] [--default NAME]',
  summary: 'Shows what is agreed with a partner, and changes what options name.',
  options: {
    'pushes-per-minute': {
      value: 'N',
      text: 'Messages a minute, counted in recipients, of all kinds of sends',
    },
    'bulk-recipients': { value: 'N', text: 'Recipients of one request that sends a message to many' },
    'multi-messages': { value: 'N', text: 'Messages of one request that sends many' },
    [checkInOption]: { value: 'N', text: 'How long new check-ins of the offer live' },
    offer: { value: 'ID', text: 'The offer whose check-ins are meant' },
    default: {
      value: 'NAME',
      text: `Back to the default: ${names.join(', ')}; as often as needed`,
      repeatable: true,
    },
  },
  run: async (call) => {
    const { options, partners } = call;
    const change = readChange(options);
    const account = await partnerOf(call);
    if (change.lifetime) await saveLifetime(call, account, change.lifetime);
    const limits = withChange(account, change.push);
    const pushChanges = Object.keys(change.push).length > 0;
    if (pushChanges && !(await partners.setLimits(account, limits)))
      throw changedMeanwhile(account.partnerId);
    const now = limitsOf({ ...account, limits }, await partners.offers(account.offerIds));
    return {
      text: [listing(limitLines(now)), ...(pushChanges ? [atTheGateway] : [])].join('\n\n'),
      json: { partnerId: account.partnerId, ...now },
    };
  },
};

/** A limit that is null goes back to its default. */
interface Change {
  readonly push: Partial<Record<(typeof pushLimits)[number]['member'], number | null>>;
  readonly lifetime?: { offerId: string; minutes: number | null };
}

function readChange(options: Options): Change {
  const defaults = new Set(options.oneOf('default', names));
  const twice = [...defaults].find((name) => options.has(name));
  if (twice !== undefined) throw wrongUsage(`--${twice} and --default ${twice} exclude each other.`);
  const asked = (name: (typeof names)[number], most: number) =>
    defaults.has(name) ? null : options.wholeNumber(name, 1, most);
  const push = pushLimits.flatMap(({ option, member, most }) => {
    const value = asked(option, most);
    return value === undefined ? [] : [[member, value] as const];
  });
  const checkInMinutes = asked(checkInOption, mostCheckInMinutes);
  const offerId = options.text('offer');
  if ((checkInMinutes === undefined) !== (offerId === undefined)) {
    throw wrongUsage(`--${checkInOption} and --offer go together.`);
  }
  return {
    push: Object.fromEntries(push),
    ...(checkInMinutes === undefined || offerId === undefined
      ? {}
      : { lifetime: { offerId, minutes: checkInMinutes } }),
  };
}

function withChange({ limits }: Account, change: Change['push']): Account['limits'] {
  const all = { ...limits, ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Account['limits'];
}

async function saveLifetime(
  { partners }: Call,
  { partnerId, offerIds }: Account,
  lifetime: NonNullable<Change['lifetime']>,
): Promise<void> {
  const { offerId } = lifetime;
  if (!offerIds.includes(offerId)) throw failed(`Offer ${offerId} does not belong to ${partnerId}.`);
  const lifetimeMs = lifetime.minutes === null ? undefined : minutes(lifetime.minutes);
  const saved = await partners.setCheckInLifetime(offerId, partnerId, lifetimeMs);
  if (!saved) throw changedMeanwhile(partnerId);
}
