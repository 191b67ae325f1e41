import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { asOperator } from '../core/calls.ts';
import { createRng } from '../core/rng.ts';
import { check } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import { basic } from './client.ts';
import type { PushRequest } from './push-request.ts';
import { recordedStates } from './receipts.ts';
import { phones } from './recipients.ts';

const secret = 'a secret of a partner that leaves';
const recipients = 5;

/** Rule 54: what a partner has scheduled is cancelled at its time if an operator has disabled the partner. */
export function createLeavers({ request, time, table, wallet }: World): Actor {
  const scheduled: PushRequest['elements'][number][] = [];
  const admin = partnerAdminStore(table);

  const leave = async ({ variant }: Action): Promise<void> => {
    const rng = createRng('leavers', variant);
    const login = `leaver-${variant}`;
    const key = firstKey({ login, partnerId: login, offerIds: [] }, secret, time.now());
    if ((await asOperator(() => admin.create(key))).outcome !== 'created') return;
    const authorization = basic(login, secret);
    const deliverFrom = time.now() + rng.between(120_000, 600_000);
    const { response } = await request(
      'POST /push/bulk/single',
      { authorization, persistent: true },
      {
        pushType: 'SERVICE',
        payload: { title: 'Simulation', message: login },
        qos: { deliverFrom: new Date(deliverFrom).toISOString() },
        msisdn: phones.slice(0, recipients),
      },
    );
    const leavesAt = deliverFrom - rng.between(1_000, 60_000);
    await time.sleep(Math.max(0, leavesAt - time.now()));
    while (!(await asOperator(() => admin.setDisabled(login, true)))) await time.sleep(1_000);
    if (response?.status === 200 && time.now() < deliverFrom)
      scheduled.push(...(response.body as PushRequest['elements']));
  };

  return {
    does: { 'scheduled push': leave },
    ledger: (rows) => {
      const recorded = recordedStates(rows);
      const handedOver = new Set(wallet.handedOver.map(({ message }) => message.messageId));
      return [
        check(
          'rule 54: what a disabled partner has scheduled ends as CANCELLED',
          scheduled,
          ({ messageId, state }) => {
            return (
              handedOver.has(messageId) || recorded.has(`${messageId}-CANCELLED`) !== (state === 'SCHEDULED')
            );
          },
        ),
      ];
    },
  };
}
