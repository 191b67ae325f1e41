import { listEventsOperation } from '../../../functions/events/list-events.ts';
import type { Documented } from '../documented.ts';

export const eventOperations = [
  {
    operation: listEventsOperation,
    tag: 'Events',
    summary: 'List what changed or went wrong in the account',
    description:
      'Newest first, kept 400 days. An event is stored together with its change, both or none, whoever made the change: a key, the console, an operator or the service itself. Secrets, passwords, phone and card numbers are in none.',
    responseExample: {
      events: [
        {
          eventId: '019e4541-ca00-7d11-b600-a1ab44b848c0',
          time: '2026-05-20T12:00:00.000Z',
          kind: 'key.created',
          by: 'bars',
          data: { login: 'bars-5f0c1b9e7a524c0e', role: 'cash-desk' },
        },
      ],
    },
  },
] satisfies readonly Documented[];
