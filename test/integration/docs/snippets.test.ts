import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Callback } from '../../../shared/callbacks/callback.ts';
import { Endpoint } from '../../../shared/callbacks/endpoint.ts';
import { signedRequest } from '../../../shared/callbacks/signed-request.ts';

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

/** What a partner receives: the headers and the body that the service itself makes. */
function received(...secrets: string[]) {
  const endpoint = Endpoint.parse({
    partnerId: 'bars',
    url: 'https://partner.example/callback',
    signingSecrets: secrets.map((one, createdAt) => ({ secret: one, createdAt })),
    status: 'enabled',
  });
  const { headers, body } = signedRequest(endpoint, callback, now * 1_000);
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
  ['a body that was parsed and written anew', { ...received(secret), body: `${received(secret).body}\n` }],
  ['another id', withHeader('webhook-id', '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11-OPENED')],
  ['another time', withHeader('webhook-timestamp', String(now + 1))],
  ['a time that is no number', withHeader('webhook-timestamp', 'now')],
  ['a digest without its version', withHeader('webhook-signature', signature.slice(3))],
  ['an empty signature', withHeader('webhook-signature', '')],
  ['no signature', withoutHeader('webhook-signature')],
  ['no id', withoutHeader('webhook-id')],
  ['no time', withoutHeader('webhook-timestamp')],
];

const interpreters = [
  { name: 'Node', command: process.execPath, file: 'docs/snippets/verify-callback.mjs', fence: 'js' },
  { name: 'Python', command: 'python3', file: 'docs/snippets/verify-callback.py', fence: 'python' },
  { name: 'PHP', command: 'php', file: 'docs/snippets/verify-callback.php', fence: 'php' },
];

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

function verdict({ command, file }: { command: string; file: string }, input: Input) {
  const { status, stderr } = spawnSync(command, [file], { input: JSON.stringify(input), encoding: 'utf8' });
  return { status, stderr };
}

describe.each(interpreters)('the $name snippet', ({ name, command, file, fence }) => {
  const missing = !isInstalled(command);
  const told = missing ? ` (SKIPPED: there is no ${command} on this machine)` : '';

  test.skipIf(missing && name !== 'Node')(`accepts what the service signs${told}`, () => {
    for (const [what, input] of genuine) {
      expect({ what, ...verdict({ command, file }, input) }).toEqual({ what, status: 0, stderr: '' });
    }
  });

  test.skipIf(missing && name !== 'Node')(`refuses everything else${told}`, () => {
    for (const [what, input] of forged) {
      expect({ what, ...verdict({ command, file }, input) }).toEqual({ what, status: 1, stderr: '' });
    }
  });

  test('stands in the guide word for word', () => {
    const guide = readFileSync('docs/partner-guide.md', 'utf8');
    expect(guide).toContain(`\`\`\`${fence}\n${readFileSync(file, 'utf8')}\`\`\`\n`);
  });
});
