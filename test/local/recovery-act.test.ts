import { expect, onTestFinished, test } from 'vitest';
import { startLoopbackServer } from '../../local/simulators/loopback-server.ts';
import { partnerRoutes } from '../../local/simulators/partner.ts';
import { recoveryAct } from '../../ops/scenario/recovery-act.ts';
import { reporter } from '../../ops/scenario/reporter.ts';

const keys = { webhookSecret: 'whsec_YWFh', login: 'wallet-service', secret: 'known' };

/** The act with a service that attempts each callback so many times, and a partner that refuses the first two. */
async function play(attempts: number) {
  const receiver = await startLoopbackServer(
    0,
    partnerRoutes('', () => keys),
  );
  const callBack = (state: string) =>
    fetch(`${receiver.url}/callback`, { method: 'POST', body: JSON.stringify({ messageId: 'm1', state }) });
  const service = await startLoopbackServer(0, {
    'POST /push/delivery': async () => {
      for (let n = 1; n <= attempts; n++) await Promise.all(['DELIVERED', 'OPENED'].map(callBack));
      return { status: 200, json: { messageId: 'm1', state: 'ENQUEUED' } };
    },
  });
  onTestFinished(async () => {
    await Promise.all([receiver.stop(), service.stop()]);
  });
  const printed: string[] = [];
  const report = reporter({ print: (line) => printed.push(line), narrate: true });
  const actors = { report, partner: { baseUrl: service.url }, receiver: { baseUrl: receiver.url } };
  const script = { registered: [1, 2, 3], endpointFailures: 2, timeoutSeconds: 0 };
  await report.attempt(() => recoveryAct(actors, script));
  return { exit: report.end(), printed: printed.join('\n') };
}

test('the act of a partner that fails passes when both callbacks were taken after its refusals', async () => {
  const { exit, printed } = await play(2);
  expect(printed).toMatch(/has taken 2 callbacks after \d\.\d s and 2 refusals/);
  expect(exit).toBe(0);
});

test('callbacks that the partner refused have not arrived: the act fails while retries are still to come', async () => {
  const { exit, printed } = await play(1);
  expect(printed).toMatch(/has taken 0 callbacks after \d\.\d s and 2 refusals/);
  expect(printed).toContain('callbacks taken, refusals: expected [2,2], got [0,2]');
  expect(exit).toBe(1);
});
