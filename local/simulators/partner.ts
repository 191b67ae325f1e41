import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { jsonOrText } from '../../shared/platform/json/json-or-text.ts';
import { formatIssues, parse } from '../../shared/platform/validation/format-issues.ts';
import type { Partners } from '../partners.ts';
import { type Received, type Reply, type Routes, startLoopbackServer } from './loopback-server.ts';

/** The oldest callbacks above this number are dropped. It is enough for two, and repetitions, of 10,000 messages. */
const maxRemembered = 50_000;

/** The partner responds with `status` after `delayMs`, or closes the connection: `times` times, or until this changes. */
const members = {
  status: z._default(z.int().check(z.minimum(200), z.maximum(599)), 200),
  delayMs: z._default(z.int().check(z.minimum(0), z.maximum(600_000)), 0),
  times: z.optional(z.int().check(z.minimum(1))),
  close: z._default(z.boolean(), false),
};
const Behavior = z.strictObject(members, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `${issue.keys.join(', ')}: unknown, known are ${Object.keys(members).join(', ')}`
      : undefined,
});
type Behavior = z.infer<typeof Behavior>;

const wellBehaved = Behavior.parse({});

/** The keys with which the partner verifies callbacks: the signing secret, and HTTP Basic if the endpoint has it. */
export type ExpectedKeys = {
  webhookSecret: string;
  login?: string;
  secret?: string;
};

function isVerified({ headers, body }: Received, { webhookSecret, login, secret }: ExpectedKeys): boolean {
  try {
    new Webhook(webhookSecret).verify(body, headers as Record<string, string>);
  } catch {
    return false;
  }
  const basic = login === undefined ? undefined : Buffer.from(`${login}:${secret}`).toString('base64');
  return headers.authorization === (basic && `Basic ${basic}`);
}

/** Returns a callback as `GET /received` shows it. */
function shown({ headers, body }: Received, keys: ExpectedKeys, { close, status }: Behavior) {
  return {
    headers,
    body: jsonOrText(body),
    /** The body's text as it came. */
    raw: body,
    at: new Date().toISOString(),
    /** The signature and the Basic credentials are right. */
    verified: isVerified({ headers, body }, keys),
    answered: close ? 'closed' : status,
  };
}

/** The routes of a partner below `prefix`: it receives callbacks, shows them, and fails on request. */
function partnerRoutes(prefix: string, expectedKeys: () => ExpectedKeys): Routes {
  let remembered: ReturnType<typeof shown>[] = [];
  let behavior: Behavior = wellBehaved;

  const nextBehavior = (): Behavior => {
    const next = behavior;
    if (next.times !== undefined) {
      behavior = next.times > 1 ? { ...next, times: next.times - 1 } : wellBehaved;
    }
    return next;
  };

  const takeCallback = async (received: Received): Promise<Reply> => {
    const next = nextBehavior();
    const { status, delayMs, close } = next;
    remembered.push(shown(received, expectedKeys(), next));
    if (remembered.length > maxRemembered) remembered.shift();
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    return close ? 'hang-up' : { status };
  };

  return {
    [`POST ${prefix}/callback`]: takeCallback,
    [`GET ${prefix}/received`]: () => ({ status: 200, json: remembered }),
    // A poller that waits for thousands of callbacks needs only the count.
    [`GET ${prefix}/received/count`]: () => {
      const different = new Set(remembered.map(({ headers }) => headers['webhook-id'])).size;
      return { status: 200, json: { all: remembered.length, different } };
    },
    [`DELETE ${prefix}/received`]: () => {
      remembered = [];
      return { status: 204 };
    },
    [`POST ${prefix}/behave`]: ({ body }) => {
      const requested = parse(Behavior, jsonOrText(body));
      if (!requested.success) return { status: 400, json: { errors: formatIssues(requested.error) } };
      behavior = requested.data;
      return { status: 200, json: behavior };
    },
  };
}

const prefixes = { main: '', other: '/other' } as const;

/** The base URL of a partner. Its paths are `/callback`, `/received` and `/behave`. */
export function partnerUrl(name: keyof Partners, port: number): string {
  return `http://127.0.0.1:${port}${prefixes[name]}`;
}

export function callbackUrl(name: keyof Partners, port: number): string {
  return `${partnerUrl(name, port)}/callback`;
}

/** Serves both partners on the wanted port, or on any other if it is taken. */
export function startPartnerSimulator(wantedPort: number, keysOf: (name: keyof Partners) => ExpectedKeys) {
  return startLoopbackServer(wantedPort, {
    ...partnerRoutes(prefixes.main, () => keysOf('main')),
    ...partnerRoutes(prefixes.other, () => keysOf('other')),
  });
}
