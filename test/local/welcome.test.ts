import { expect, test } from 'vitest';
import { runNode } from '../support/run-node.ts';

const login = { login: 'bars', secret: 'x'.repeat(43), partnerId: 'bars', offerId: 'bars-of-moscow' };
const endpoints = {
  ...login,
  baseUrl: 'http://127.0.0.1:3000',
  partner: { url: 'http://127.0.0.1:40001' },
  other: {},
};

/** Returns what the welcome prints to a pipe, as in a log file or in CI. */
async function printed(
  env: Record<string, string>,
  { started = endpoints, stateDir = '.local' }: { started?: object; stateDir?: string } = {},
): Promise<string> {
  const program = `
    import { welcome } from './local/welcome.ts';
    console.log(welcome(JSON.parse(process.argv[1]), process.argv[2]));`;
  const words = ['--input-type=module', '-e', program, JSON.stringify(started), stateDir];
  const { NO_COLOR, FORCE_COLOR, ...others } = process.env;
  const { out, err } = await runNode(words, { ...others, ...env });
  expect(err).toBe('');
  return out;
}

test('commands name the state folder when it is not the default one, as a shell takes it', async () => {
  expect(await printed({})).toContain('  npm run demo  ');
  const named = await printed({}, { stateDir: '/tmp/two' });
  expect(named).toContain('  npm run demo -- --state /tmp/two  ');
  expect(named).toContain('  curl -K /tmp/two/curl.conf http://127.0.0.1:3000/places/sync ');
  const spaced = await printed({}, { stateDir: "Ann's folder" });
  expect(spaced).toContain("  npm run demo -- --state 'Ann'\\''s folder'  ");
  expect(spaced).toContain("  curl -K 'Ann'\\''s folder/curl.conf' ");
});

test('without a secret that works, the reason stands in its place, and no request that would be refused', async () => {
  const whyNoSecret = 'The key bars was deleted. This shows its partner: npm run x';
  const other = {
    whyNoSecret: 'The secret of bakery in this folder has ended. This shows its partner: npm run y',
  };
  const lines = (await printed({}, { started: { ...endpoints, secret: '', whyNoSecret, other } })).split(
    '\n',
  );
  expect(lines).toContain(`  ${whyNoSecret}`);
  expect(lines).toContain(`  ${other.whyNoSecret}`);
  expect(lines.filter((line) => /Login|Secret|curl/.test(line))).toEqual([]);
});
