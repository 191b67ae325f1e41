import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { runPartner } from '../../ops/partner/program.ts';
import { type Caller, request } from '../../ops/scenario/client.ts';
import { systemClock } from '../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import { type RunningService, startService } from '../support/service.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-restart-'));

let service: RunningService;
beforeAll(async () => {
  service = await startService({ stateDir });
});
afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

async function asked(caller: Caller, route: string, body?: unknown): Promise<Record<string, unknown>> {
  const reply = await request(caller, route, body);
  expect(reply, `${route} ${JSON.stringify(reply.body)}`).toMatchObject({ status: 200 });
  return reply.body as Record<string, unknown>;
}

/** Runs a command of the operator, and returns its JSON output. */
async function operator(line: string) {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const words = [...line.split(' '), '--json', '--state', stateDir];
  const terminal = { print, printError: print };
  expect(await runPartner(words, { terminal, clock: systemClock, ids: systemIds }), printed.join('\n')).toBe(
    0,
  );
  return JSON.parse(printed.join('\n'));
}

type Row = { pk: { S: string }; sk: { S: string } };

/** Returns every row of partners, their keys, offers, endpoints and events, by key. */
async function settings(): Promise<Record<string, unknown>> {
  const { dynamodb, tableName } = service.endpoints;
  const { Items } = await jsonCaller(dynamodb, 'dynamodb')<{ Items: Row[] }>('Scan', {
    TableName: tableName,
  });
  const set = Items.filter(({ pk }) => /^((ACCOUNT|OFFER|ENDPOINT|EVENTS)#|PARTNERS$)/.test(pk.S));
  return Object.fromEntries(set.map((row) => [`${row.pk.S} ${row.sk.S}`, row]));
}

/** Changes everything that a partner can: its endpoint and its keys. Returns a key that is not deleted. */
async function partnerChangesEverything(partner: Caller): Promise<Caller> {
  await asked(partner, 'PUT /callbacks/endpoint', {
    url: 'http://127.0.0.1:8001/mine',
    basic: { login: 'mine', password: 'pa55' },
    timeoutSeconds: 7,
    log: 'failures',
  });
  await asked(partner, 'POST /callbacks/endpoint/rotate');
  await asked(partner, 'POST /callbacks/endpoint/retire');
  await asked(partner, 'POST /callbacks/endpoint/disable');
  const { login, secret } = await asked(partner, 'POST /keys', { role: 'full', label: 'headquarters' });
  const owner = { ...partner, login: String(login), secret: String(secret) };
  await asked(owner, 'POST /keys', { role: 'cash-desk', label: 'bar 1', placeIds: ['bar-1'] });
  const rotated = await asked(owner, `POST /keys/${owner.login}/rotate`);
  await asked({ ...owner, secret: String(rotated['secret']) }, `POST /keys/${owner.login}/retire`);
  await asked({ ...owner, secret: String(rotated['secret']) }, 'DELETE /keys/bars');
  return { ...owner, secret: String(rotated['secret']) };
}

/** Changes everything that an operator can, more of it for bars than for bakery. */
async function operatorChangesEverything(): Promise<void> {
  await operator('limits bars --pushes-per-minute 500 --bulk-recipients 200 --removal-percent 20');
  await operator('limits bars --check-in-minutes 30 --offer bars-of-moscow');
  await operator('offers add bars bars-of-tver');
  await operator('keys rotate bakery');
  await operator('callback rotate bakery');
  await operator('disable bakery --yes');
}

test('a restart changes nothing that a partner or an operator has set', async () => {
  const owner = await partnerChangesEverything(service.partner);
  await operatorChangesEverything();
  const before = await settings();
  // Three keys, two partners, three offers, two endpoints, an event for each change of an endpoint (the first by the
  // start of the service), of keys and of limits, and the circuit that the new URL has closed.
  expect(Object.keys(before)).toHaveLength(28);
  await service.stop();

  service = await startService({ stateDir });
  expect(await settings()).toEqual(before);
  const { baseUrl } = service.endpoints;
  expect(await asked({ ...owner, baseUrl }, 'GET /callbacks/endpoint')).toMatchObject({
    url: 'http://127.0.0.1:8001/mine',
    status: 'DISABLED',
    reason: 'by the partner',
    timeoutSeconds: 7,
    basicLogin: 'mine',
    log: 'failures',
    secrets: [{}],
  });
  expect(await asked({ ...owner, baseUrl }, 'GET /keys')).toMatchObject({
    keys: [
      { login: owner.login, role: 'full', label: 'headquarters', secrets: [{}] },
      { role: 'cash-desk', label: 'bar 1', placeIds: ['bar-1'] },
    ],
  });
  expect(await asked({ ...owner, baseUrl }, 'GET /keys/self')).toMatchObject({
    login: owner.login,
    offerIds: ['bars-of-moscow', 'bars-of-tver'],
    limits: { pushesPerMinute: 500, bulkRecipients: 200 },
  });
  expect(await operator('show bars')).toMatchObject({
    limits: {
      removalPercent: { value: 20, agreed: true },
      checkInMinutes: { 'bars-of-moscow': { value: 30, agreed: true } },
    },
  });
  expect(await operator('show bakery')).toMatchObject({
    disabled: true,
    keys: [{ login: 'bakery', secrets: [expect.any(String), expect.any(String)] }],
    callback: { status: 'enabled', signingSecrets: [expect.any(String), expect.any(String)] },
  });
  const ofFirstKey = await request(service.partner, 'GET /keys/self');
  expect(ofFirstKey.status).toBe(403);
  expect(service.endpoints).toMatchObject({
    login: 'bars',
    secret: '',
    whyNoSecret: `The key bars was revoked: its credentials in this folder do not work any more. This begins again, with new ones: npm run start -- --fresh --state ${stateDir}`,
  });
});
