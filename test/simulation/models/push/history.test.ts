import fc from 'fast-check';
import { expect, test } from 'vitest';
import { content, type Sent } from '../../../integration/push/push-rig.ts';
import { sqsRecord } from '../../../support/queue.ts';
import { type Command, command, expectReached, runModel, timeLimitMs } from '../model-run.ts';
import { type Fault, titleOf } from '../table-faults.ts';
import {
  type HistoryModel,
  type HistoryWorld,
  isKept,
  type Message,
  newHistoryWorld,
  type Reported,
} from './history-world.ts';

type HistoryCommand = Command<HistoryModel, HistoryWorld>;

const seen = { messages: 0, twiceInOneList: 0, recorded: 0, repeats: 0, parked: 0, histories: 0, gone: 0 };

const msisdn = fc.integer({ min: 79_000_000_001, max: 79_000_000_006 });

/** Takes the response to a send into the model. */
function accepted(model: HistoryModel, asked: readonly number[], sent: readonly Sent[]): void {
  expect(sent.map((one) => one.msisdn)).toEqual(asked);
  for (const { msisdn, messageId, state } of sent) {
    expect(state).toBe(model.registered.has(msisdn) ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED');
    if (model.messages.some((known) => known.messageId === messageId)) continue;
    const registered = model.registered.has(msisdn);
    model.messages.push({ messageId, msisdn, registered, acceptedAt: model.nowMs, reported: new Map() });
    seen.messages += 1;
  }
}

function distinctIds(sent: readonly Sent[]) {
  return new Set(sent.map(({ messageId }) => messageId)).size;
}

const single = msisdn.map(
  (to): HistoryCommand =>
    command(`single ${to}`, async (model, world) => {
      const response = (await world.single({ ...content, msisdn: to })).body as Omit<Sent, 'msisdn'>;
      accepted(model, [to], [{ ...response, msisdn: to }]);
    }),
);

const numbers = fc.array(msisdn, { minLength: 1, maxLength: 9 });

/** A number given twice is sent once. */
const bulk = numbers.map(
  (to): HistoryCommand =>
    command(`bulk ${to}`, async (model, world) => {
      const sent = (await world.bulk({ ...content, msisdn: to })).body as Sent[];
      expect(distinctIds(sent)).toBe(new Set(to).size);
      if (new Set(to).size < to.length) seen.twiceInOneList += 1;
      accepted(model, to, sent);
    }),
);

/** Several messages to one number are several messages; 80 and more fill more than one row. */
const multi = fc.record({ to: numbers, more: fc.constantFrom(0, 0, 0, 85) }).map(
  ({ to, more }): HistoryCommand =>
    command(`multi ${to}, ${more} more`, async (model, world) => {
      const all = [...to, ...Array.from({ length: more }, () => 79_000_000_001)];
      const sent = (await world.multi(all.map((msisdn) => ({ ...content, msisdn })))).body as Sent[];
      expect(distinctIds(sent)).toBe(all.length);
      accepted(model, all, sent);
    }),
);

const register = fc.record({ msisdn, isRegistered: fc.boolean() }).map(
  ({ msisdn, isRegistered }): HistoryCommand =>
    command(`${msisdn} ${isRegistered ? 'registers' : 'goes'}`, async (model, world) => {
      await world.setRegistered(msisdn, isRegistered);
      if (isRegistered) model.registered.add(msisdn);
      else model.registered.delete(msisdn);
    }),
);

type Receipt = {
  pick: number;
  state: Reported;
  /** Of the device's clock, from now. */
  offsetMs: number;
  zone: 'Z' | '+03:00';
  flaw: 'none' | 'unknown id' | 'id beyond the send' | 'no id of ours' | 'other msisdn' | 'SEEN' | 'no time';
};
const receipt: fc.Arbitrary<Receipt> = fc.record({
  pick: fc.nat(200),
  state: fc.constantFrom<Reported>('DELIVERED', 'OPENED'),
  offsetMs: fc.constantFrom(-86_400_000, -5_000, -1_000, 0, 0, 999, 1_000, 60_000),
  zone: fc.constantFrom('Z', '+03:00'),
  flaw: fc.oneof(
    { weight: 10, arbitrary: fc.constant('none' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'unknown id' as const,
        'id beyond the send' as const,
        'no id of ours' as const,
        'other msisdn' as const,
        'SEEN' as const,
        'no time' as const,
      ),
    },
  ),
});

function textAt(atMs: number, zone: Receipt['zone']): string {
  return zone === 'Z'
    ? new Date(atMs).toISOString()
    : `${new Date(atMs + 3 * 3_600_000).toISOString().slice(0, -1)}+03:00`;
}

function strangeId(flaw: Receipt['flaw'], messageId: string): string | undefined {
  if (flaw === 'unknown id') return `00000000${messageId.slice(8)}`;
  if (flaw === 'id beyond the send') return `${messageId.slice(0, -4)}fff0`;
  if (flaw === 'no id of ours') return 'message-1';
  return undefined;
}

/** What the wallet sends, and the reason to park it, if there is one. */
function toSend(model: HistoryModel, message: Message, { state, offsetMs, zone, flaw }: Receipt) {
  const strange = strangeId(flaw, message.messageId);
  const given = {
    messageId: strange ?? message.messageId,
    msisdn: flaw === 'other msisdn' ? message.msisdn + 1 : message.msisdn,
    state: flaw === 'SEEN' ? 'SEEN' : state,
    ...(flaw === 'no time' ? {} : { time: textAt(model.nowMs + offsetMs, zone) }),
  };
  if (flaw === 'SEEN') return { given, reason: 'receipts[n].state' };
  if (flaw === 'no time') return { given, reason: 'receipts[n].time: required' };
  if (strange !== undefined || !isKept(model, message))
    return { given, reason: 'no message has this messageId' };
  if (flaw === 'other msisdn') return { given, reason: 'the message went to another msisdn' };
  if (!message.registered)
    return { given, reason: 'the message was not sent, its msisdn was not registered' };
  return { given };
}

/** Each state is recorded once, with the time of the first receipt; of two in one envelope either may be first. */
const receive = fc
  .record({
    receipts: fc.array(receipt, { minLength: 1, maxLength: 8 }),
    fault: fc.option(
      fc.record<Fault>({
        kind: fc.constantFrom('refused', 'response lost', 'dies'),
        call: fc.integer({ min: 1, max: 8 }),
      }),
      { nil: undefined, freq: 2 },
    ),
  })
  .map(({ receipts, fault }): HistoryCommand => {
    const title = `receive, ${titleOf(fault)}, ${JSON.stringify(receipts)}`;
    return command(
      title,
      async (model, world) => {
        const fresh = new Map<Message, Map<Reported, Set<number>>>();
        const given = receipts.map((one) => {
          const message = model.messages[one.pick % model.messages.length];
          if (!message) throw new Error('there are messages');
          return { one, message, ...toSend(model, message, one) };
        });
        const record = sqsRecord({ receipts: given.map((one) => one.given) });
        for (const [n, { one, message, reason }] of given.entries()) {
          if (reason !== undefined) {
            model.parked.set(`${record.messageId}#${n}`, reason.replace('[n]', `[${n}]`));
            seen.parked += 1;
          } else if (message.reported.has(one.state)) seen.repeats += 1;
          else {
            const states = fresh.get(message) ?? new Map<Reported, Set<number>>();
            fresh.set(message, states);
            const times = states.get(one.state) ?? new Set<number>();
            states.set(one.state, times.add(model.nowMs + one.offsetMs));
          }
        }
        await world.receiveRecord(record, fault);
        model.lastEnvelope = record;
        for (const [message, states] of fresh)
          for (const [state, times] of states) {
            message.reported.set(state, times);
            seen.recorded += 1;
          }
      },
      ({ messages }) => messages.length > 0,
    );
  });

const receiveAgain: fc.Arbitrary<HistoryCommand> = fc.constant(
  command('receive the same again', async (model, world) => {
    if (model.lastEnvelope) await world.receiveRecord(model.lastEnvelope, undefined);
  }),
);

const receiveNonsense = fc.constantFrom('{"half', '{}', '{"receipts":[]}').map(
  (body): HistoryCommand =>
    command(`receive ${body}`, async (model, world) => {
      const record = sqsRecord(body);
      await world.receiveRecord(record, undefined);
      model.parked.set(record.messageId, 'not {"receipts": [...]}');
    }),
);

const rank = { MSISDN_NOT_REGISTERED: 0, ENQUEUED: 0, DELIVERED: 1, OPENED: 2 };
type State = { msisdn: number; state: keyof typeof rank; time: string };

/** C4 of one message equals the model's list; the other partner knows nothing of it. */
async function sameHistory(model: HistoryModel, world: HistoryWorld, message: Message): Promise<void> {
  const { messageId, msisdn, registered, acceptedAt, reported } = message;
  const response = await world.history(messageId);
  const gone = { status: 404, body: { status: 'MESSAGE_NOT_FOUND' } };
  expect(await world.asOther(messageId)).toMatchObject(gone);
  if (!isKept(model, message)) {
    seen.gone += 1;
    expect(response).toMatchObject(gone);
    return;
  }
  seen.histories += 1;
  const { states } = response.body as { states: State[] };
  for (const [state, times] of reported) {
    const shown = states.find((one) => one.state === state)?.time;
    const meant = [...times].filter((time) => walletTime(time) === shown);
    expect(meant).not.toEqual([]);
    reported.set(state, new Set(meant));
  }
  const first = registered ? ('ENQUEUED' as const) : ('MSISDN_NOT_REGISTERED' as const);
  const changes = [
    { state: first, times: new Set([acceptedAt]) },
    ...[...reported].map(([state, times]) => ({ state, times })),
  ].map(({ state, times }) => ({ state, atMs: [...times][0] ?? 0, isSure: times.size === 1 }));
  expect(states.every((one) => one.msisdn === msisdn)).toBe(true);
  const shown = states.map(({ state, time }) => `${state} ${time}`);
  const expected = changes
    .sort((a, b) => a.atMs - b.atMs || rank[a.state] - rank[b.state])
    .map(({ state, atMs }) => `${state} ${walletTime(atMs)}`);
  if (changes.every(({ isSure }) => isSure)) expect(shown).toEqual(expected);
  else expect(new Set(shown)).toEqual(new Set(expected));
}

/** As the service shows times: three hours ahead of UTC, to the second. */
function walletTime(atMs: number): string {
  return `${new Date(atMs + 10_800_000).toISOString().slice(0, 19)}+0300`;
}

const history = fc.nat(200).map(
  (pick): HistoryCommand =>
    command(
      `history #${pick}`,
      async (model, world) => {
        const message = model.messages[pick % model.messages.length];
        if (message) await sameHistory(model, world, message);
      },
      ({ messages }) => messages.length > 0,
    ),
);

const pass = fc.constantFrom(1, 999, 60_000, 3_600_000, 15 * 86_400_000).map(
  (ms): HistoryCommand =>
    command(`${ms} ms pass`, async (model, world) => {
      model.nowMs += ms;
      world.clock.advance(ms);
      // After a month its messages would be unknown.
      delete model.lastEnvelope;
    }),
);

test(
  'a history lists each state once with its first time, and what cannot be matched is parked',
  async () => {
    await runModel<HistoryModel, HistoryWorld>({
      name: 'message histories',
      runs: 20,
      maxCommands: 40,
      commands: [
        single,
        bulk,
        multi,
        register,
        receive,
        receive,
        receive,
        receiveAgain,
        receiveNonsense,
        history,
        pass,
      ],
      setup: async () => {
        const real = await newHistoryWorld();
        const registered = new Set([79_000_000_001, 79_000_000_002, 79_000_000_003]);
        await real.register(...registered);
        return { model: { messages: [], registered, nowMs: real.clock.now(), parked: new Map() }, real };
      },
      finish: async (model, world) => {
        for (const message of model.messages.slice(-20)) await sameHistory(model, world, message);
        const reasons = await world.parkedReasons();
        expect([...reasons.keys()].sort()).toEqual([...model.parked.keys()].sort());
        for (const [key, reason] of reasons) expect(reason).toContain(model.parked.get(key));
      },
    });
    expectReached(seen, 10);
  },
  timeLimitMs,
);
