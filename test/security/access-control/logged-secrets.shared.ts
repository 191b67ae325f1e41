import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { request } from '../../../ops/scenario/client.ts';
import { eventually } from '../../../ops/scenario/eventually.ts';
import { connectLocalTable } from '../../../shared/platform/table/table.ts';
import { basic } from '../../support/basic.ts';
import { rowsOf } from '../../support/table.ts';
import { endpointPassword } from './access-cases.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';

const phone = 79_007_654_321;
const content = {
  pushType: 'SERVICE',
  payload: { title: 'Bar', message: 'Ready' },
  qos: { deliveryStatusNotifications: true },
};

let fixture: AccessFixture;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
  fixture.endpointSecrets.add(endpointPassword).add(basic('wallet', endpointPassword).slice('Basic '.length));
});

/** Returns the whole log of each function. */
function functionLogs(): [name: string, log: string][] {
  const folder = join(fixture.service.stateDir, 'logs');
  return readdirSync(folder).map((file) => [
    basename(file, '.log').replace('partner-integration-dev-', ''),
    readFileSync(join(folder, file), 'utf8'),
  ]);
}

test.each([
  ['SendMessage', 'POST /push/delivery', { ...content, msisdn: phone }],
  ['SendBulk', 'POST /push/bulk/single', { ...content, msisdn: [phone] }],
  ['SendMulti', 'POST /push/bulk/multi', [{ ...content, msisdn: phone }]],
])('the id of a request to %s is in every log on the way of its message', async (name, route, body) => {
  const { partner, wallet } = fixture.service;
  await fixture.signedByOne();
  await request(wallet, 'PUT /wallet/recipients', { registered: [phone] });
  const reply = await request(partner, route, body);
  const requestId = reply.headers.get('apigw-requestid') ?? 'the answer has none';
  // What the authorizer says may be cached, without a line.
  const having = () =>
    functionLogs().flatMap(([of, log]) => (log.includes(requestId) && of !== 'AuthorizePartner' ? [of] : []));
  const names = await eventually('a line of DeliverCallback', having, {
    until: (some) => some.includes('DeliverCallback'),
  });
  const behind = ['DeliverCallback', 'DispatchMessages', 'FanOutStates', 'RecordReceipts'];
  expect(names.sort()).toEqual([...behind, name, 'ShowMessages']);
});

/** Whole numbers of the phones and the card in the requests. */
const personal = /(?<!\d)(?:7900\d{7}|9643907500000012)(?!\d)/;

test('no function logs a secret that was sent or shown, the code of a check-in, or a whole number of a phone or the card', () => {
  const { secrets, endpointSecrets, secretCodes } = fixture;
  // Two forms of the secrets of the first key, of five roles and of five other keys; then a wrong one, and those of a key created
  // and a key rotated.
  expect(secrets.size).toBeGreaterThanOrEqual(2 * 11 + 3);
  expect(endpointSecrets.size).toBeGreaterThanOrEqual(6);
  const all = [...secrets, ...endpointSecrets, ...[...endpointSecrets].map(hex)];
  const logs = functionLogs();
  const found = logs.flatMap(([name, log]) => [
    ...all.flatMap((secret) => (log.includes(secret) ? [`${name}: ${secret}`] : [])),
    ...(personal.exec(log) ?? []).map((number) => `${name}: ${number}`),
  ]);
  expect(found).toEqual([]);
  // The requests have reached every function.
  const lines = logs.map(([, log]) => log).join('');
  const silent = documented.filter(({ operation }) => !lines.includes(`"code":"${operation.id}"`));
  expect(silent.map(({ operation }) => operation.id)).toEqual([]);
  expect(lines.includes(`"msisdnEnd":"4321"`)).toBe(true);
  // Four digits may also be the end of a phone number, which is left out.
  const others = lines.replaceAll(/"msisdnEnd":"\d{4}"/g, '');
  expect(secretCodes.length).toBeGreaterThan(0);
  expect(secretCodes.filter((code) => others.includes(`"${code}"`))).toEqual([]);
  expect(lines.includes('secretCode')).toBe(false);
});

/** The key with which a signing secret signs, as a program may print it. */
function hex(secret: string): string {
  return Buffer.from(secret, 'base64').toString('hex');
}

test('in the table, secrets of keys are digests, and only endpoints contain what callbacks are sent with', async () => {
  const { dynamodb, tableName } = fixture.service.endpoints;
  const rows = (await rowsOf(connectLocalTable(tableName, dynamodb))).map((row) => ({
    kind: String(row.pk).split('#')[0],
    text: JSON.stringify(row),
  }));
  const kindsWith = (all: ReadonlySet<string>) => {
    const having = rows.filter(({ text }) => [...all].some((secret) => text.includes(secret)));
    return [...new Set(having.map(({ kind }) => kind))];
  };
  expect(kindsWith(fixture.secrets)).toEqual([]);
  expect(kindsWith(fixture.endpointSecrets)).toEqual(['ENDPOINT']);
  // These have the digests, and what keys have done.
  expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['ACCOUNT', 'EVENTS']));
});
