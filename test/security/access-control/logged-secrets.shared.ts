import { expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { basic } from '../../support/basic.ts';
import { functionLogs } from '../../support/function-logs.ts';
import { rowsOf } from '../../support/table.ts';
import { endpointPassword, sendTo } from './access-cases.ts';
import { sharedAccessFixture } from './access-fixture.ts';

/** Whole numbers of the phones and the card in the requests. */
const personal = /(?<!\d)(?:7900\d{7}|9643907500000012)(?!\d)/;

test('no operation logs a secret that it was sent or has shown, nor a whole number of a phone or a card', async () => {
  const { secrets, service } = await sharedAccessFixture();
  const password = [endpointPassword, basic('wallet', endpointPassword).slice('Basic '.length)];
  // Two forms of the secrets of the first key, of five roles and of six limited keys; then what operations have shown: a key
  // created and a key rotated, the endpoint's secret, and that of alerts.
  expect(secrets.size).toBeGreaterThanOrEqual(2 * 12 + 4);
  const logs = [...functionLogs(service.stateDir)];
  const found = logs.flatMap(([name, log]) => [
    ...[...secrets, ...password].flatMap((secret) => (log.includes(secret) ? [`${name}: ${secret}`] : [])),
    ...(personal.exec(log) ?? []).map((number) => `${name}: ${number}`),
  ]);
  expect(found).toEqual([]);
  // The requests have reached every function.
  const lines = logs.map(([, log]) => log).join('');
  const silent = documented.filter(({ operation }) => !lines.includes(`"code":"${operation.id}"`));
  expect(silent.map(({ operation }) => operation.id)).toEqual([]);
});

test('of secrets that were sent or shown, the table has in plain text only what callbacks are sent with', async () => {
  const fixture = await sharedAccessFixture();
  await sendTo('PUT /callbacks/endpoint', fixture, { headers: { authorization: fixture.credentials } });
  const texts = [...fixture.secrets, endpointPassword];
  const rows = await rowsOf(fixture.table);
  const holding = rows.filter((row) => texts.some((text) => JSON.stringify(row).includes(text)));
  expect(new Set(holding.map(({ pk }) => pk.split('#')[0]))).toEqual(new Set(['ENDPOINT']));
});
