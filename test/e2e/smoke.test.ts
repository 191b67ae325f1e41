import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { close, listen } from '../../local/http/loopback.ts';
import { runProgram } from '../../ops/cli/command-line.ts';
import { request } from '../../ops/scenario/client.ts';
import { type Stage, smokeProgram, stageOf } from '../../ops/smoke/program.ts';
import { runNode } from '../support/run-node.ts';
import { type RunningService, startService } from '../support/service.ts';
import { fast, sharedService } from '../support/shared-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ simulators: false });
});
afterAll(() => service.stop());

/** A run makes about 45 requests, and the machine may be busy with other tests. */
const wholeRunMs = 90_000;

function smoke(args: readonly string[], env: Record<string, string> = {}) {
  return runNode(['ops/smoke.ts', ...args], { PATH: '', ...env });
}

function credentials() {
  return {
    SMOKE_LOGIN: `${service.partner.login}`,
    SMOKE_SECRET: `${service.partner.secret}`,
    SMOKE_OFFER_ID: `${service.partner.offerId}`,
  };
}

/** Starts a server in place of the service. */
async function serverThat(responses: RequestListener): Promise<string> {
  const server = createServer(responses);
  const port = await listen(server, 0);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${port}`;
}

let passedOnTo: string | undefined;

/** Passes a request on to the service, as a proxy does. */
async function passOn(incoming: IncomingMessage, httpResponse: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { authorization, offerid, 'content-encoding': encoding, 'content-type': type } = incoming.headers;
  const response = await fetch(`${passedOnTo ?? service.partner.baseUrl}${incoming.url}`, {
    method: `${incoming.method}`,
    headers: {
      'content-type': type ?? 'application/json',
      ...(encoding ? { 'content-encoding': encoding } : {}),
      ...(authorization ? { authorization } : {}),
      ...(typeof offerid === 'string' ? { offerid } : {}),
    },
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  httpResponse.writeHead(response.status).end(await response.text());
}

/** Returns what a partner or a card holder would see of earlier runs. */
async function leftovers() {
  const checkIns = await request(service.partner, 'GET /partner/api/place/smoke%2F1/checkins');
  const promos = await request(service.wallet, `GET /wallet/offers/${service.partner.offerId}/promos`);
  const message = { pushType: 'SERVICE', msisdn: 447_700_900_123, payload: { title: 'a', message: 'b' } };
  const sent = await request(service.partner, 'POST /push/delivery', message);
  return { checkIns: checkIns.body, ...(promos.body as object), ...(sent.body as object) };
}

const nothingLeft = { checkIns: [], promos: [], state: 'MSISDN_NOT_REGISTERED' };

test(
  'a sound service passes every step, without simulators or more rights than documented, and nothing stays open',
  async () => {
    const signed = new Set<string>();
    const url = await serverThat(async (incoming, httpResponse) => {
      const route = `${incoming.method}${incoming.url}`.replace(/offers\/[^/]+/, 'offers/*');
      if (route.includes('/wallet/')) signed.add(route);
      await passOn(incoming, httpResponse);
    });
    const { code, out, err } = await smoke(['--base-url', `${url}/`], credentials());
    const role = /^\| smoke, .*$/m.exec(readFileSync('docs/deploying.md', 'utf8'))?.[0] ?? '';
    expect([...signed].sort()).toEqual((role.match(/[A-Z]+\/wallet\/[^`]+/g) ?? []).sort());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\n60 steps in \d+\.\d s: all passed\.\n$/);
    expect(out).not.toContain(service.partner.secret);
    expect(await leftovers()).toMatchObject(nothingLeft);
  },
  wholeRunMs,
);

test.each(['push-outbox', 'push-cancellations'])('without simulators %s keeps its messages', async (name) => {
  const call = jsonCaller(service.endpoints.sqs, 'sqs');
  const QueueUrl = service.endpoints.queues[name];
  await call('SendMessage', { QueueUrl, MessageBody: 'for another wallet platform' });
  const received = await call<{ Messages?: object[] }>('ReceiveMessage', {
    QueueUrl,
    MaxNumberOfMessages: 10,
  });
  expect(received.Messages).toContainEqual(expect.objectContaining({ Body: 'for another wallet platform' }));
});

test(
  'with --sandbox nothing but the key of a partner is used, from a check-in to callbacks that fail and come again, also where it has all promotions it may have',
  async () => {
    const asked = new Set<string>();
    const url = await serverThat(async (incoming, httpResponse) => {
      asked.add(`${incoming.method}${incoming.url}`);
      if (incoming.url === '/promo/v1/create') httpResponse.writeHead(409).end('{}');
      else await passOn(incoming, httpResponse);
    });
    const simulated = await sharedService(fast);
    onTestFinished(simulated.stop);
    const { login = '', secret = '', offerId = '' } = simulated.partner;
    const env = { SMOKE_LOGIN: login, SMOKE_SECRET: secret, SMOKE_OFFER_ID: offerId };
    const ended = { startDate: '2026-01-01T00:00:00+03', endDate: '2026-01-02T00:00:00+03' };
    const earlier = { name: 'Smoke test, please ignore', description: '', discount: '', ...ended };
    expect((await request(simulated.partner, 'POST /promo/v1/create', earlier)).status).toBe(200);
    // A stage does not tell the password of an endpoint, so the run would not know how to restore it.
    await request(simulated.partner, 'PUT /callbacks/endpoint', { basic: null });
    passedOnTo = `${simulated.partner.baseUrl}`;
    onTestFinished(() => {
      passedOnTo = undefined;
    });
    const { code, out, err } = await smoke(['--sandbox', '--base-url', url], env);
    expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringContaining('all passed') });
    expect([...asked].filter((route) => route.includes('/wallet/'))).toEqual([]);
    const { url: endpoint } = (await request(simulated.partner, 'GET /callbacks/endpoint')).body as {
      url: string;
    };
    expect(endpoint).toBe(`${simulated.endpoints.partner?.url}/callback`);
  },
  wholeRunMs,
);

test(
  'after a failed step the run says what came, takes back what it opened, and ends with 1',
  async () => {
    const url = await serverThat(async (incoming, httpResponse) => {
      if (incoming.url?.startsWith('/promo/v1/details')) {
        httpResponse.writeHead(500, { 'apigw-requestid': 'Gx7=' }).end('{"status":"INTERNAL_ERROR"}');
        return;
      }
      await passOn(incoming, httpResponse);
    });
    const { code, out } = await smoke(['--base-url', url], credentials());
    expect(code).toBe(1);
    expect(out).toMatch(
      /FAILED +\d+ ms {2}read back: expected 200, got \[500,\{"status":"INTERNAL_ERROR"\}\] \(GET \/promo\/v1\/details\?promoId=\d+, request id Gx7=\)\n/,
    );
    expect(out).toMatch(/ok +\d+ ms {2}promotion \d+ ended\n/);
    expect(await leftovers()).toMatchObject(nothingLeft);
  },
  wholeRunMs,
);

/** Returns the stage that options and environment name, or the error about them. */
async function read(args: readonly string[], env: Record<string, string>) {
  let stage: Stage | undefined;
  const errors: string[] = [];
  const program = smokeProgram().action((options) => {
    stage = stageOf(options, env);
  });
  const output = { print: () => {}, printError: (text: string) => errors.push(text) };
  return { exit: await runProgram(program, args, output), stage, err: errors.join() };
}

const env = { SMOKE_LOGIN: 'smoke', SMOKE_SECRET: 's3cret', SMOKE_OFFER_ID: 'smoke-club' };
const inAws = 'https://abc123.execute-api.eu-central-1.amazonaws.com';

test.each([
  [
    ['--base-url', 'http://api.example'],
    {},
    '--base-url must be https: the secret travels with every request.',
  ],
  [['--base-url', inAws], { SMOKE_SECRET: '' }, 'The environment must hold SMOKE_SECRET: --help says more.'],
  [
    ['--base-url', inAws],
    { SMOKE_OFFER_ID: 'bars-of-moscow' },
    'SMOKE_OFFER_ID must begin with "smoke", not be "bars-of-moscow": its service points are replaced.',
  ],
])('%j with %j is refused', async (args, changed, sentence) => {
  expect(await read(args, { ...env, ...changed })).toEqual({ exit: 2, stage: undefined, err: sentence });
});
