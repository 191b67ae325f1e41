import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { runNode } from '../support/run-node.ts';

const login = { login: 'bars', secret: 'x'.repeat(43), partnerId: 'bars', offerId: 'bars-of-moscow' };
const endpoints = {
  ...login,
  baseUrl: 'http://127.0.0.1:3000',
  partner: { url: 'http://127.0.0.1:40001' },
};

/** What it prints through a pipe, as in a log file or in CI. */
async function printed(env: Record<string, string>): Promise<string> {
  const program = `
    import { welcome } from './local/welcome.ts';
    console.log(welcome(JSON.parse(process.argv[1]), '.local'));`;
  const words = ['--input-type=module', '-e', program, JSON.stringify(endpoints)];
  const { NO_COLOR, FORCE_COLOR, ...others } = process.env;
  return (await runNode(words, { ...others, ...env })).out;
}

test('the banner fits a terminal', async () => {
  const lines = (await printed({})).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(26);
});

test('the banner is coloured where colours are wanted, and says the same without them', async () => {
  const plain = await printed({});
  expect(plain).toBe(stripVTControlCharacters(plain));
  expect(await printed({ NO_COLOR: '1' })).toBe(plain);
  const coloured = await printed({ FORCE_COLOR: '1' });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});
