import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../local/temporary-folder.ts';
import { callbackRequest } from '../../../shared/callbacks/callback.ts';
import { PostedEndpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';

const folder = 'docs/snippets';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const newSecret = 'whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=';
const strangersSecret = 'whsec_c3RyYW5nZXI=';

/** 20 May 2026, 12:00:00 UTC. */
const now = 1_779_278_400;

type Input = { headers: Record<string, string>; body: string; secret: string; now: number };

/** Returns the headers and the body that a partner receives, made by the service's own code. */
function received(...secrets: string[]): Input {
  const signingSecrets = secrets.map((one, createdAt) => ({ secret: one, createdAt }));
  const url = 'https://partner.example/callback';
  const endpoint = PostedEndpoint.parse({ partnerId: 'bars', url, signingSecrets, status: 'enabled' });
  const messageId = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';
  const callback = { partnerId: 'bars', messageId, state: 'DELIVERED', msisdn: 79_001_234_567 } as const;
  const more = { changedAt: now * 1_000, utm: '{"utmCampaign":"осень 👋"}' };
  const { headers, body } = callbackRequest(endpoint, { ...callback, ...more }, now * 1_000);
  return { headers, body, secret, now };
}

const genuine = received(secret);

function withHeader(name: string, value?: string): Input {
  const { [name]: _replaced, ...others } = genuine.headers;
  return { ...genuine, headers: { ...others, ...(value === undefined ? {} : { [name]: value }) } };
}

const signature = genuine.headers['webhook-signature'] ?? '';

const accepted: Record<string, Input> = {
  'a callback as the service signs it': genuine,
  'either signature of a rotation, with the old secret': received(secret, newSecret),
  'either signature of a rotation, with the new secret': {
    ...received(secret, newSecret),
    secret: newSecret,
  },
  'a callback that took 5 minutes': { ...genuine, now: now + 300 },
  'a signature beside one of a version to come': withHeader('webhook-signature', `v2,abc ${signature}`),
};
const refused: Record<string, Input> = {
  'a callback signed with a secret of somebody else': received(strangersSecret),
  'a secret that the rotation has ended': { ...received(newSecret), secret },
  'a callback older than 5 minutes': { ...genuine, now: now + 301 },
  'a callback from more than 5 minutes ahead': { ...genuine, now: now - 301 },
  'a body in which one word was changed': { ...genuine, body: genuine.body.replace('DELIVERED', 'OPENED') },
  'a body that was parsed and serialised again': { ...genuine, body: `${genuine.body}\n` },
  'another id': withHeader('webhook-id', '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11-OPENED'),
  'another time': withHeader('webhook-timestamp', String(now + 1)),
  'a time that is no number': withHeader('webhook-timestamp', 'now'),
  'a digest without its version': withHeader('webhook-signature', signature.slice(3)),
  'an empty signature': withHeader('webhook-signature', ''),
  'no signature': withHeader('webhook-signature'),
  'no id': withHeader('webhook-id'),
  'no time': withHeader('webhook-timestamp'),
};

/** A laptop tries one input of each kind, CI all of them: some languages take half a second to start. */
const triedEverywhere = [
  'either signature of a rotation, with the new secret',
  'a callback older than 5 minutes',
  'a body in which one word was changed',
  'no signature',
];

/** Java has no JSON parser of its own, so it takes headers as arguments and the body as it is. */
function withArguments(program: string): (input: Input) => [command: string, stdin: string] {
  return ({ headers, body, secret: key, now: at }) => {
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => headers[name] ?? '',
    );
    return [[program, ...signed, key, at].join('|'), body];
  };
}

function withJson(program: string): (input: Input) => [command: string, stdin: string] {
  return (input) => [program, JSON.stringify(input)];
}

/** The command that shows whether a language is installed, how it compiles to OUT, and how it runs; `|` ends a word. */
const snippets = [
  { language: 'Node', shows: 'node|--version', run: withJson(`node|${folder}/verify-callback.mjs`) },
  { language: 'Python', shows: 'python3|--version', run: withJson(`python3|${folder}/verify-callback.py`) },
  { language: 'PHP', shows: 'php|--version', run: withJson(`php|${folder}/verify-callback.php`) },
  {
    language: 'Go',
    shows: 'go|version',
    compile: `go|build|-o|OUT/verify-callback|${folder}/verify-callback.go`,
    run: withJson('OUT/verify-callback'),
  },
  {
    language: 'Java',
    shows: 'javac|-version',
    compile: `javac|-d|OUT|${folder}/VerifyCallback.java`,
    run: withArguments('java|-Xshare:auto|-XX:TieredStopAtLevel=1|-cp|OUT|VerifyCallback'),
  },
];

function execute(line: string, input = '') {
  const [command = '', ...args] = line.split('|');
  const { status, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  return { status, stderr };
}

describe.each(snippets)('the $language snippet', ({ language, shows, compile, run }) => {
  // GitHub's machines have every language, so one that is missing there fails.
  const missing = !process.env['GITHUB_ACTIONS'] && execute(shows).status !== 0;
  const told = missing ? ` (SKIPPED: there is no ${shows.split('|')[0]} on this machine)` : '';
  const { path, remove } = temporaryFolder('snippet');
  const at = (line: string) => line.replace('OUT', path);
  beforeAll(() => {
    if (compile && !missing) expect(execute(at(compile))).toEqual({ status: 0, stderr: '' });
  });
  afterAll(remove);

  test.skipIf(missing && language !== 'Node').each([
    ['accepts what the service signs', accepted, 0],
    ['refuses everything else', refused, 1],
  ] as const)(`%s${told}`, (_does, inputs, status) => {
    for (const [what, input] of Object.entries(inputs)) {
      if (!process.env['CI'] && !triedEverywhere.includes(what)) continue;
      const [line, stdin] = run(input);
      expect({ what, ...execute(at(line), stdin) }).toEqual({ what, status, stderr: '' });
    }
  });
});
