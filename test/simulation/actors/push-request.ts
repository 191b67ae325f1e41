import { isDeepStrictEqual } from 'node:util';
import type { OutboxMessage } from '../../../shared/push/sending/outbox-message.ts';
import type { Outcome } from './client.ts';
import type { SimulatedPartner } from './partners.ts';

export const routes = {
  'single push': 'POST /push/delivery',
  'bulk push': 'POST /push/bulk/single',
  'multi push': 'POST /push/bulk/multi',
} as const;
export type Kind = keyof typeof routes;

/** The sender of a message wants this of it. */
export type SentContent = {
  /** The text that recipients see, which is in the utm, too. */
  text: string;
  /** The time until which the message may be shown. */
  deadline: number | undefined;
  wantsCallbacks: boolean;
};

/** One request of area C, and what its sender knows of it. */
export type PushRequest = {
  partner: SimulatedPartner;
  /** The text of every push of the request begins with this. */
  marker: string;
  msisdns: readonly number[];
  /** The content of the message to each number. */
  contents: readonly SentContent[];
  /** The time for which the messages are scheduled. */
  deliverFrom: number | undefined;
  /** True if several messages to the same number count separately. */
  isMulti: boolean;
  outcome: Outcome;
  /** The elements of a 200 response; empty for any other. */
  elements: readonly {
    msisdn: number;
    messageId: string;
    state: string;
  }[];
  /** The ids of messages that the sender has asked to take back. */
  takenBack: Set<string>;
};

/** Returns the text of the message at a position of a request in which each has its own. */
export function numbered(marker: string, position: number): string {
  return `${marker}/${position}`;
}

/** Returns the marker of the request whose message has this text. */
export function markerIn(text: string): string {
  return text.split('/')[0] ?? '';
}

/** A message as it comes out of push-outbox. */
export type ShownMessage = OutboxMessage['messages'][number] &
  SentContent & {
    partnerId: string;
    acceptedAt: number;
    /** The time before which it must not be handed over, if it was scheduled. */
    deliverFrom: number | undefined;
  };

type Asked = Pick<PushRequest, 'msisdns' | 'contents' | 'deliverFrom'>;

function isoTime(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

export function bodyOf(kind: Kind, { msisdns, contents, deliverFrom }: Asked): unknown {
  const all = contents.map(({ text, deadline, wantsCallbacks }) => ({
    pushType: 'SERVICE',
    payload: { title: 'Simulation', message: text },
    qos: {
      deliveryStatusNotifications: wantsCallbacks,
      deliverFrom: isoTime(deliverFrom),
      deliverDue: isoTime(deadline),
    },
    // SQS refuses this character where it is not escaped.
    utm: { utmSource: text, utmTerm: '\uffff' },
  }));
  if (kind === 'multi push') return msisdns.map((msisdn, n) => ({ ...all[n], msisdn }));
  return { ...all[0], msisdn: kind === 'single push' ? msisdns[0] : msisdns };
}

/** Tells whether the wallet platform got the message at a position of a request as it was sent. */
export function isAsSent(
  { messageId, acceptedAt, ...shown }: ShownMessage,
  { partner: { partnerId }, msisdns, contents, deliverFrom }: PushRequest,
  position: number,
): boolean {
  return isDeepStrictEqual(shown, {
    ...contents[position],
    msisdn: msisdns[position],
    partnerId,
    deliverFrom,
  });
}
