import type { SQSRecord } from 'aws-lambda';
import type { AttemptResult } from '../../../../shared/callbacks/attempt.ts';
import { CallbackMessage } from '../../../../shared/callbacks/callback-message.ts';
import { CallbackRow } from '../../../../shared/callbacks/callback-row.ts';
import { callbacksRig } from '../../../integration/callbacks/callbacks-rig.ts';
import { redelivered } from '../../../support/queue.ts';
import { type Fault, tableFaults } from '../table-faults.ts';
import { referenceOf } from './reference-circuit.ts';

/** A message in the queue; a delayed one is not there before its time. */
export type Queued = { record: SQSRecord; message: CallbackMessage; readyAt: number; receives: number };

/** What the model knows of one callback: how often it may have been attempted, and that it got through. */
export type Known = {
  messageId: string;
  /** Deliveries of its first message. */
  firsts: number;
  /** Turns for which a retry message was handed to a worker. */
  versions: Set<number>;
  posts: number;
  delivered: boolean;
  /** The row as it stood when it was settled. */
  settled?: { status: string; version: number };
};

export type CallbackModel = { known: Map<string, Known>; queue: Queued[]; nowMs: number };

export function ready({ queue, nowMs }: CallbackModel): Queued[] {
  return queue.filter(({ readyAt }) => readyAt <= nowMs);
}

/** The same numbers in every run, from one end of [0, 1) to the other. */
const chances = [0, 0.999_999, 0.5, 0.1, 0.9, 0.25, 0.75];

export async function newCallbackWorld() {
  const rig = await callbacksRig();
  await rig.saveEndpoint('http://127.0.0.1:9/never-called');
  const posts: string[] = [];
  let behaviour: AttemptResult = { ok: true, httpStatus: 200, durationMs: 1 };
  let dealt = 0;
  const outside = {
    client: {
      post: async ({ body }: { body: string }): Promise<AttemptResult> => {
        posts.push((JSON.parse(body) as { messageId: string }).messageId);
        return behaviour;
      },
    },
    chance: () => chances[dealt++ % chances.length] ?? 0,
  };
  /** Everything the table has of the partner's callbacks, in one look. */
  const look = async () => {
    const all = await rig.table.rows();
    const callbacks = all
      .filter(({ pk }) => /^CALLBACKS#bars#[0-7]$/.test(String(pk)))
      .map((row) => CallbackRow.parse(row));
    return {
      rows: new Map(callbacks.map((row) => [row.messageId, row])),
      circuit: referenceOf(all.find(({ sk }) => sk === 'CIRCUIT')),
      isDisabled: all.some(({ sk, status }) => sk === 'SETTINGS' && status === 'disabled'),
      isDraining: all.some(({ pk }) => pk === 'DRAIN#bars'),
    };
  };
  return {
    rig,
    faults: tableFaults(rig.table),
    /** Remembers for a few seconds what it knows of the endpoint, as instances do. */
    instances: [rig.newWorker(outside), rig.newWorker(outside)],
    newInstance: () => rig.newWorker(outside),
    behave: (result: AttemptResult) => {
      behaviour = result;
    },
    /** The ids posted since the last call. */
    posted: () => posts.splice(0),
    postedSoFar: () => posts.length,
    look,
    rows: async () => (await look()).rows,
  };
}

export type CallbackWorld = Awaited<ReturnType<typeof newCallbackWorld>>;
type Worker = CallbackWorld['instances'][number];

/** Takes what was sent meanwhile into the model's queue: resume sends at once, a worker with the row's delay. */
export async function collect(model: CallbackModel, world: CallbackWorld): Promise<void> {
  const records = [...(await world.rig.records()), ...(await world.rig.slowRecords())];
  if (records.length === 0) return;
  const rows = await world.rows();
  for (const record of records) {
    const message = CallbackMessage.parse(JSON.parse(record.body));
    const row = rows.get(message.messageId);
    const isDelayed =
      message.kind === 'retry' && row?.version === message.version && row.claimedBy !== 'queue';
    model.queue.push({ record, message, readyAt: isDelayed ? (row.dueAt ?? 0) : model.nowMs, receives: 0 });
  }
}

export type Handing = { worker: Worker; messages: Queued[]; fault?: Fault | undefined };

/** Hands messages to a worker as the event source would; what fails is in the queue again. */
export async function hand(
  model: CallbackModel,
  world: CallbackWorld,
  { worker, messages, fault }: Handing,
): Promise<{ struck: boolean }> {
  for (const queued of messages) {
    queued.receives += 1;
    const { message } = queued;
    const known = model.known.get(message.messageId);
    if (message.kind === 'first' && known) known.firsts += 1;
    if (message.kind === 'retry') known?.versions.add(message.version);
  }
  model.queue = model.queue.filter((queued) => !messages.includes(queued));
  const Records = messages.flatMap(({ record, receives }) => redelivered([record], receives).Records);
  const { response, struck } = await world.faults.during(fault, () => worker({ Records }));
  const failed = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const allFail = struck && fault?.kind === 'dies';
  model.queue.push(...messages.filter(({ record }) => allFail || failed.has(record.messageId)));
  return { struck };
}
