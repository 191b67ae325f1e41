import { inEachTest } from '../../support/in-each-test.ts';
import { content, deliverFrom, from, numbers, pushRig, type Sent } from './push-rig.ts';

/** The same time as a deadline. */
export const due = { ...content, qos: { deliverDue: deliverFrom } };

export const away = { send: () => Promise.reject(new Error('no response')) };

/** Gives the tests of a file a partner in a rig, and the functions that take back what it sends. */
export function cancelFixture() {
  const rig = inEachTest(pushRig);

  /** Sends to `count` numbers, of which the first ones are registered. The id of its first message comes along. */
  async function send(count: number, body: object = content, registered = count) {
    await rig.register(...numbers(registered));
    const sent = await rig.sent.bulk(numbers(count), body);
    return { sent, messageId: sent[0]?.messageId ?? '' };
  }

  async function single(body: object = content): Promise<Sent> {
    await rig.register(...numbers(1));
    return rig.sent.single(79_000_000_000, body);
  }

  /** Asks to cancel a message or its send, and returns the body of the response. */
  async function cancelled(message: Sent | string | undefined, of: 'message' | 'send') {
    return (await rig.cancel(message, of)).body;
  }

  async function release() {
    rig.clock.set(from + 20_000);
    await rig.endPassed();
  }

  return { cancelled, release, rig, send, single };
}
