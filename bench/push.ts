import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAssembly, isStale } from '../local/build-assembly.ts';
import { request } from '../local/demo/client.ts';
import { eventually } from '../local/demo/eventually.ts';
import { silentLog } from '../local/log.ts';
import { type LocalService, startLocalService } from '../local/service.ts';

const help = `Times one bulk send from its request to the last callback, on a service of its own.

  npm run bench:push              10,000 recipients, all registered
  npm run bench:push -- 1000      another number
`;

const first = 79_000_000_000;
const deadlineSeconds = 240;

const bench = async (service: LocalService, count: number): Promise<void> => {
  const { baseUrl, login, secret, offerId, partner: receiver, wallet } = service.endpoints;
  if (!receiver || !wallet) throw new Error('the service has no simulators');
  const msisdn = Array.from({ length: count }, (_, n) => first + n);
  for (let n = 0; n < count; n += 1_000) {
    await request({ baseUrl }, 'PUT /wallet/recipients', { registered: msisdn.slice(n, n + 1_000) });
  }
  const startedAt = performance.now();
  const since = () => `${((performance.now() - startedAt) / 1_000).toFixed(2)} s`;
  const sent = await request({ baseUrl, login, secret, offerId }, 'POST /push/bulk/single', {
    pushType: 'SERVICE',
    msisdn,
    payload: { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7' },
    qos: { deliveryStatusNotifications: true },
  });
  console.log(`answered ${sent.status} for ${count.toLocaleString('en')} recipients`.padEnd(48), since());

  const shown = async () =>
    ((await request({ baseUrl: wallet.url }, 'GET /devices')).body as { recipients: number }).recipients;
  await reached('taken from push-outbox by the wallet', shown, count, since);
  const received = async (state: string) => {
    const { body } = await request({ baseUrl: receiver.url }, 'GET /received');
    const callbacks = (body as { body: { messageId: string; state: string } }[]).map(
      (callback) => callback.body,
    );
    return new Set(callbacks.filter((callback) => callback.state === state).map(({ messageId }) => messageId))
      .size;
  };
  await reached('called back as DELIVERED', () => received('DELIVERED'), count, since);
  await reached('called back as OPENED', () => received('OPENED'), count, since);
  const { body } = await request({ baseUrl: receiver.url }, 'GET /received');
  console.log(`callbacks that came more than once: ${(body as unknown[]).length - 2 * count}`);
};

const reached = async (what: string, ask: () => Promise<number>, count: number, since: () => string) => {
  const last = await eventually(ask, (value) => value >= count, { seconds: deadlineSeconds, pollMs: 1_000 });
  if (last < count) throw new Error(`only ${last} of ${count} ${what} within ${deadlineSeconds} s`);
  console.log(`all ${what}`.padEnd(48), since());
};

const count = Number(process.argv[2] ?? 10_000);
if (!Number.isInteger(count) || count < 1 || count > 10_000) console.log(help);
else {
  if (isStale('cdk.out')) await buildAssembly();
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-bench-'));
  const service = await startLocalService({ port: 0, stateDir, assemblyDir: 'cdk.out', log: silentLog });
  try {
    await bench(service, count);
  } finally {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
process.exit(0);
