import { createKeyOperation } from '../../../functions/partners/create-key.ts';
import { deleteKeyOperation } from '../../../functions/partners/delete-key.ts';
import { getOwnKeyOperation } from '../../../functions/partners/get-own-key.ts';
import { listKeysOperation } from '../../../functions/partners/list-keys.ts';
import { retireKeyOperation } from '../../../functions/partners/retire-key.ts';
import { rotateKeyOperation } from '../../../functions/partners/rotate-key.ts';
import type { Documented } from '../documented.ts';

const tag = 'Keys';
const login = 'bars-5f0c1b9e7a524c0e';
const cashDesk = { role: 'cash-desk', label: 'Till 2', placeIds: ['000069302'] };
const secret = 'HFOLRH_okqWq1mS0b5rXkQ6x4nJ7yT2vC9dE3fGhLmU';

export const keyOperations = [
  {
    operation: listKeysOperation,
    tag,
    summary: 'List the keys',
    description: 'Oldest first, without their secrets.',
    responseExample: { keys: [{ login, ...cashDesk, secrets: [{ createdAt: '2026-05-20T12:00:00.000Z' }] }] },
  },
  {
    operation: createKeyOperation,
    tag,
    summary: 'Make a key',
    description:
      'At most 20. The secret is shown this once: a replay has null there. A key that is limited to loyalty programs gives out keys with the same limit or less.',
    requestExample: cashDesk,
    responseExample: { login, secret, ...cashDesk },
  },
  {
    operation: getOwnKeyOperation,
    tag,
    summary: 'Show the key of the request',
    description: 'What it may do, and the limits of the partner.',
    responseExample: {
      login,
      partnerId: 'bars',
      role: 'cash-desk',
      offerIds: ['bars-of-moscow'],
      limited: false,
      placeIds: ['000069302'],
      limits: {
        pushesPerMinute: 100_000,
        tillRequests: 1_000,
        heavyRequests: 60,
        otherRequests: 1_000,
        bulkRecipients: 10_000,
        multiMessages: 1_000,
        removalPercent: 50,
      },
    },
  },
  {
    operation: rotateKeyOperation,
    tag,
    summary: 'Give a key a second secret',
    description:
      'Both work until the older one is retired. The new one is shown this once. If its response was lost, `replace` gives another in its place.',
    requestExample: { replace: false },
    responseExample: { login, secret },
  },
  {
    operation: retireKeyOperation,
    tag,
    summary: "End the older of a key's two secrets",
    description:
      'It may be accepted for `effectiveWithinSeconds` more. The secret of the request itself cannot be ended.',
    responseExample: { login, effectiveWithinSeconds: 300 },
  },
  {
    operation: deleteKeyOperation,
    tag,
    summary: 'Revoke a key',
    description: 'It may be accepted for `effectiveWithinSeconds` more, but no longer manages keys.',
    responseExample: { login, effectiveWithinSeconds: 300 },
  },
] satisfies readonly Documented[];
