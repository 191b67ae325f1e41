import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { bulkKey, bulkStatesKey } from '../../../shared/platform/table/row-keys/push.ts';
import { parkedPartition } from '../../../shared/platform/table/row-keys/workers.ts';
import type { ParkedQueue } from '../../../shared/platform/table/row-kinds.ts';
import { marked, streamMarkers } from '../../../shared/platform/table/stream-markers.ts';
import { bulkIdFrom } from '../../../shared/push/message-id.ts';
import { createRng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Row } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';
import { nobodyId } from './partners.ts';

/** Longer than the stream and a cold start take without faults. */
const parkedWithinMs = 10_000;

/** `body` is what must be parked, where that is known. */
type Written = { id: string; by: ParkedQueue; atMs: number; body?: string };

/** Queues whose workers park what they cannot read, with the names under which they do. */
const parkedFrom = [
  ['callbacks', 'callbacks'],
  ['callbacks-slow', 'callbacks'],
  ['deadlines', 'deadlines'],
  ['places-sync-dlq.fifo', 'places-sync'],
] as const;

/**
 * Writes sends, messages and receipts that can never be read or matched, and checks that their readers park them, and
 * nothing else.
 */
export function createUnreadable({ time, table, streams, queues, wallet, isCalm }: World): Actor {
  const written: Written[] = [];
  /** Sends receipts without sense. Of those in a list, everything but the phone number is parked. */
  const sendReceipts = (id: string): void => {
    const unknown = {
      messageId: `nobody-sent-${id}`,
      state: 'OPENED',
      time: new Date(time.now()).toISOString(),
    };
    const some: [kept: object, number: { msisdn?: number }][] = [
      [unknown, { msisdn: 79_000_000_000 }],
      [{ state: 5 }, {}],
    ];
    const [first] = wallet.shown.values();
    if (first) some.push([{ ...unknown, messageId: first.messageId }, { msisdn: first.msisdn + 1 }]);
    const list = JSON.stringify({ receipts: some.map(([kept, number]) => ({ ...kept, ...number })) });
    const parked = { [list]: JSON.stringify(some.map(([kept]) => kept)), [`no JSON ${id}`]: `no JSON ${id}` };
    for (const [MessageBody, body] of Object.entries(parked)) {
      written.push({ id, by: 'delivery-receipts', atMs: time.now(), body });
      queues.queue('delivery-receipts').add({ MessageBody });
    }
  };
  const put = (row: object): Promise<void> =>
    time.later(1, async () => {
      await table.client.send(new PutCommand({ TableName: table.name, Item: row }));
      streams.written();
    });

  const write = async ({ variant }: Action): Promise<void> => {
    const rng = createRng('unreadable', variant);
    for (const [queue, by] of parkedFrom) {
      const id = rng.bytes(8).toString('hex');
      written.push({ id, by, atMs: time.now() });
      queues.queue(queue).add({ MessageBody: JSON.stringify({ id }), MessageGroupId: id });
    }
    sendReceipts(rng.bytes(8).toString('hex'));
    const newId = () => bulkIdFrom(rng.uuid());
    const owner = { partnerId: nobodyId, acceptedAt: time.now(), count: 1, expiresAt: 1e10 };
    const content = JSON.stringify({ pushType: 'SERVICE', payload: {} });
    const unsent = newId();
    written.push({ id: unsent, by: 'DispatchMessages', atMs: time.now() });
    // Its only part is missing.
    await put({ ...bulkKey(unsent), ...owner, bulkId: unsent, content, [streamMarkers.dispatch]: marked });
    // Some of these come in one batch.
    for (let n = 0; n < 6; n++) {
      const untold = newId();
      await put({ ...bulkKey(untold), ...owner, bulkId: untold, content: 'no JSON' });
      written.push({ id: untold, by: 'FanOutStates', atMs: time.now() });
      const states = { ...bulkStatesKey(untold, 0), partnerId: nobodyId, d0: 1, expiresAt: 1e10 };
      await put({ ...states, [streamMarkers.callBack]: marked });
    }
  };

  return {
    does: { nonsense: write },
    ledger: (rows) => {
      const parked = rows('parked message');
      const isOf = ({ pk, body, reason }: Row, one: Written) =>
        Boolean(reason) &&
        pk === parkedPartition(one.by) &&
        (one.body === undefined ? String(body).includes(one.id) : body === one.body);
      const isLate = ({ parkedAt }: Row, { atMs }: Written) =>
        isCalm && Number(parkedAt) - atMs > parkedWithinMs;
      const missing = written.filter((one) => {
        const [row, ...more] = parked.filter((candidate) => isOf(candidate, one));
        // A message that an operator moves back, although it was parked before its function was killed, has another id.
        return !row || (isCalm && more.length > 0) || isLate(row, one);
      });
      const needless = parked.filter((row) => !written.some((one) => isOf(row, one)));
      const wrong = [...missing, ...needless].map((one) => JSON.stringify(one).slice(0, 300));
      return [
        entry('rule 30: what no try can process, and nothing else, is parked at once', written.length, wrong),
      ];
    },
  };
}
