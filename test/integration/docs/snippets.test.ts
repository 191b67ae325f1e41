import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../local/temporary-folder.ts';
import { type Callback, callbackRequest } from '../../../shared/callbacks/callback.ts';
import { PostedEndpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';

const folder = 'docs/snippets';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const newSecret = 'whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=';
const strangersSecret = 'whsec_c3RyYW5nZXI=';

/** 20 May 2026, 12:00:00 UTC. */
const now = 1_779_278_400;

const callback: Callback = {
  partnerId: 'bars',
  messageId: '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11',
  state: 'DELIVERED',
  msisdn: 79_001_234_567,
  changedAt: now * 1_000,
  utm: '{"utmCampaign":"осень 👋"}',
};

/** Returns the headers and the body that a partner receives, made by the service's own code. */
function received(...secrets: string[]) {
  const endpoint = PostedEndpoint.parse({
    partnerId: 'bars',
    url: 'https://partner.example/callback',
    signingSecrets: secrets.map((one, createdAt) => ({ secret: one, createdAt })),
    status: 'enabled',
  });
  const { headers, body } = callbackRequest(endpoint, callback, now * 1_000);
  return { headers, body, secret, now };
}

type Input = Omit<ReturnType<typeof received>, 'headers'> & { headers: Record<string, string> };

function withHeader(name: string, value: string): Input {
  const { headers, ...rest } = received(secret);
  return { ...rest, headers: { ...headers, [name]: value } };
}

function withoutHeader(name: string): Input {
  const { headers, ...rest } = received(secret);
  return { ...rest, headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)) };
}

const signature = received(secret).headers['webhook-signature'] ?? '';

const genuine: [string, Input][] = [
  ['a callback as the service signs it', received(secret)],
  ['either signature of a rotation, with the old secret', received(secret, newSecret)],
  [
    'either signature of a rotation, with the new secret',
    { ...received(secret, newSecret), secret: newSecret },
  ],
  ['a callback that took 5 minutes', { ...received(secret), now: now + 300 }],
  ['a signature beside one of a version to come', withHeader('webhook-signature', `v2,abc ${signature}`)],
];

const forged: [string, Input][] = [
  ['a callback signed with a secret of somebody else', received(strangersSecret)],
  ['a secret that the rotation has ended', { ...received(newSecret), secret }],
  ['a callback older than 5 minutes', { ...received(secret), now: now + 301 }],
  ['a callback from more than 5 minutes ahead', { ...received(secret), now: now - 301 }],
  [
    'a body in which one word was changed',
    { ...received(secret), body: received(secret).body.replace('DELIVERED', 'OPENED') },
  ],
  [
    'a body that was parsed and serialised again',
    { ...received(secret), body: `${received(secret).body}\n` },
  ],
  ['another id', withHeader('webhook-id', '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11-OPENED')],
  ['another time', withHeader('webhook-timestamp', String(now + 1))],
  ['a time that is no number', withHeader('webhook-timestamp', 'now')],
  ['a digest without its version', withHeader('webhook-signature', signature.slice(3))],
  ['an empty signature', withHeader('webhook-signature', '')],
  ['no signature', withoutHeader('webhook-signature')],
  ['no id', withoutHeader('webhook-id')],
  ['no time', withoutHeader('webhook-timestamp')],
];

/** A laptop runs a program for one input of each kind, CI for every input: some languages take half a second to start. */
function triedHere(inputs: [string, Input][], ...kinds: readonly string[]) {
  return process.env['CI'] ? inputs : inputs.filter(([what]) => kinds.includes(what));
}
const accepted = triedHere(genuine, 'either signature of a rotation, with the new secret');
const refused = triedHere(
  forged,
  'a callback older than 5 minutes',
  'a body in which one word was changed',
  'no signature',
);

type Snippet = {
  language: string;
  /** This command shows whether the language is installed. */
  toolchain: [string, ...string[]];
  /** Compiles the file into a folder. */
  compile?: (folder: string) => [string, ...string[]];
  run: (folder: string, input: Input) => [string, ...string[]];
  stdin?: (input: Input) => string;
};

const snippets: Snippet[] = [
  {
    language: 'Node',
    toolchain: [process.execPath, '--version'],
    run: () => [process.execPath, `${folder}/verify-callback.mjs`],
  },
  {
    language: 'Python',
    toolchain: ['python3', '--version'],
    run: () => ['python3', `${folder}/verify-callback.py`],
  },
  {
    language: 'PHP',
    toolchain: ['php', '--version'],
    run: () => ['php', `${folder}/verify-callback.php`],
  },
  {
    language: 'Go',
    toolchain: ['go', 'version'],
    compile: (to) => ['go', 'build', '-o', `${to}/verify-callback`, `${folder}/verify-callback.go`],
    run: (from) => [`${from}/verify-callback`],
  },
  {
    language: 'Java',
    toolchain: ['javac', '-version'],
    compile: (to) => ['javac', '-d', to, `${folder}/VerifyCallback.java`],
    // Java has no JSON parser of its own, so headers come as arguments and the body as it is.
    run: (from, { headers, secret: key, now: at }) => {
      const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (name) => headers[name] ?? '',
      );
      return [
        'java',
        '-Xshare:auto',
        '-XX:TieredStopAtLevel=1',
        '-cp',
        from,
        'VerifyCallback',
        ...signed,
        key,
        `${at}`,
      ];
    },
    stdin: ({ body }) => body,
  },
];

function execute([command, ...args]: [string, ...string[]], input = '') {
  const { status, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  return { status, stderr };
}

describe.each(snippets)(
  'the $language snippet',
  ({ language, toolchain, compile, run, stdin = JSON.stringify }) => {
    const missing = execute(toolchain).status !== 0;
    const told = missing ? ` (SKIPPED: there is no ${toolchain[0]} on this machine)` : '';
    const compiled = temporaryFolder('snippet');

    beforeAll(() => {
      if (compile && !missing) expect(execute(compile(compiled.path))).toEqual({ status: 0, stderr: '' });
    });
    afterAll(compiled.remove);

    function expectAll(inputs: [string, Input][], status: number) {
      for (const [what, input] of inputs) {
        expect({ what, ...execute(run(compiled.path, input), stdin(input)) }).toEqual({
          what,
          status,
          stderr: '',
        });
      }
    }

    test.skipIf(missing && language !== 'Node')(`accepts what the service signs${told}`, () =>
      expectAll(accepted, 0),
    );

    test.skipIf(missing && language !== 'Node')(`refuses everything else${told}`, () =>
      expectAll(refused, 1),
    );
  },
);
