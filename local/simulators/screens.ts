import type { OutboxMessage } from '../../shared/push/outbox-message.ts';

const maxShown = 100;
/** Enough to recognize the repeats of some minutes at the fastest rate a laptop reaches. */
const maxIds = 200_000;

interface Shown {
  readonly at: string;
  readonly partnerId: string;
  readonly messageId: string;
  readonly msisdn: number;
  readonly pushType: string;
  readonly payload: unknown;
}

/** What is seen on all devices together. A message that the queue delivers again is shown once. */
export function createScreens() {
  const ids = new Set<string>();
  const counts = { messages: 0, recipients: 0, repeated: 0, invalid: 0 };
  let shown: Shown[] = [];

  const isNew = (messageId: string): boolean => {
    if (ids.has(messageId)) return false;
    ids.add(messageId);
    for (const oldest of ids) {
      if (ids.size <= maxIds) break;
      ids.delete(oldest);
    }
    return true;
  };

  return {
    show: ({ messages, partnerId, pushType, payload }: OutboxMessage): void => {
      const at = new Date().toISOString();
      const fresh = messages.filter(({ messageId }) => isNew(messageId));
      counts.messages += 1;
      counts.recipients += fresh.length;
      counts.repeated += messages.length - fresh.length;
      const last = fresh
        .slice(-maxShown)
        .map(({ messageId, msisdn }) => ({ at, partnerId, messageId, msisdn, pushType, payload }));
      shown = [...shown, ...last].slice(-maxShown);
    },
    countInvalid: (): void => {
      counts.invalid += 1;
    },
    /** `messages` are those of the queue; `shown` the newest, oldest first. */
    seen: () => ({ ...counts, shown }),
  };
}
