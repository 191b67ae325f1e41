import { defaultLifetimeMs } from '../../shared/check-ins/check-in.ts';
import type { Account, Offer } from '../../shared/partners/account.ts';
import { maxPositions } from '../../shared/push/message-id.ts';
import { defaultPushLimits } from '../../shared/push/push-request.ts';
import { minutes } from '../../shared/runtime/clock.ts';

/** Limits of sending messages by their names in an account: the option, and the most that can be agreed. */
export const pushLimits = {
  pushesPerMinute: { option: 'pushes-per-minute', max: 1_000_000_000 },
  bulkRecipients: { option: 'bulk-recipients', max: maxPositions },
  multiMessages: { option: 'multi-messages', max: maxPositions },
} as const;

export type PushLimit = keyof typeof pushLimits;

/** With longer lifetimes a busy place would run out of its 10,000 secret codes. */
export const checkInMinutes = { option: 'check-in-minutes', max: 1_440 } as const;

export const limitNames = [
  pushLimits.pushesPerMinute.option,
  pushLimits.bulkRecipients.option,
  pushLimits.multiMessages.option,
  checkInMinutes.option,
] as const;

interface Limit {
  readonly value: number;
  /** Beyond the service's default. */
  readonly agreed: boolean;
}

export interface Limits {
  readonly pushesPerMinute: Limit;
  readonly bulkRecipients: Limit;
  readonly multiMessages: Limit;
  /** By offerId. */
  readonly checkInMinutes: Readonly<Record<string, Limit>>;
}

function limit(agreed: number | undefined, byDefault: number): Limit {
  return {
    value: agreed ?? byDefault,
    agreed: agreed !== undefined,
  };
}

/** What holds for a partner, agreed or by default. */
export function limitsOf({ limits, offerIds }: Account, offers: readonly Offer[]): Limits {
  const lifetimeMs = new Map(offers.map((offer) => [offer.offerId, offer.checkInLifetimeMs]));
  const inMinutes = (ms: number | undefined) => (ms === undefined ? undefined : ms / minutes(1));
  return {
    pushesPerMinute: limit(limits.pushesPerMinute, defaultPushLimits.pushesPerMinute),
    bulkRecipients: limit(limits.bulkRecipients, defaultPushLimits.bulkRecipients),
    multiMessages: limit(limits.multiMessages, defaultPushLimits.multiMessages),
    checkInMinutes: Object.fromEntries(
      offerIds.map((id) => [id, limit(inMinutes(lifetimeMs.get(id)), defaultLifetimeMs / minutes(1))]),
    ),
  };
}

function formatLimit({ value, agreed }: Limit): string {
  return `${value.toLocaleString('en-US')} (${agreed ? 'agreed' : 'default'})`;
}

/** Name and value of each limit, for a listing. */
export function limitLines(limits: Limits): [string, string][] {
  const { pushesPerMinute, bulkRecipients, multiMessages } = pushLimits;
  return [
    [pushesPerMinute.option, formatLimit(limits.pushesPerMinute)],
    [bulkRecipients.option, formatLimit(limits.bulkRecipients)],
    [multiMessages.option, formatLimit(limits.multiMessages)],
    ...Object.entries(limits.checkInMinutes).map(([offerId, one]): [string, string] => [
      `${checkInMinutes.option} of ${offerId}`,
      formatLimit(one),
    ]),
  ];
}
