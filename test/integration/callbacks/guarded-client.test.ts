import { Agent } from 'node:http';
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { Resolve } from '../../../shared/platform/egress/guarded-lookup.ts';
import { callbackTo, loopbackClient } from '../../security/egress/guarded-post.ts';
import { loopbackPartner, partnerThatAnswers, reply } from './loopback-partner.ts';

test('one connection serves many callbacks, and gathers no listeners', async () => {
  const partner = await loopbackPartner();
  const client = loopbackClient();
  const warnings: string[] = [];
  const listen = ({ name }: Error) => warnings.push(name);
  process.on('warning', listen);
  partner.responses(reply(200, {}, 'thank you'));
  for (let n = 0; n < 30; n++)
    expect(await client.post(callbackTo(partner.url))).not.toHaveProperty('response');
  process.off('warning', listen);
  expect(partner.connections()).toBe(1);
  expect(warnings).toEqual([]);
});

test.each([200, 201, 202, 204, 299])('rule 23: %d is a success', async (httpStatus) => {
  const partner = await partnerThatAnswers(httpStatus);
  expect(await loopbackClient().post(callbackTo(partner.url))).toMatchObject({ ok: true, httpStatus });
});

test.each([
  ...['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL'].map((code) => [code, 'local'] as const),
  ['EMFILE EMFILE', 'local'],
  ['EMFILE ECONNREFUSED', 'connect'],
  ['ENETUNREACH', 'connect'],
] as const)('a socket that cannot be opened because of %s is a failure of kind %s', async (codes, error) => {
  const failures = codes.split(' ').map((code) => Object.assign(new Error(code), { code }));
  const connect = vi.spyOn(Agent.prototype, 'createConnection').mockImplementationOnce(() => {
    const socket = Object.assign(new Socket(), { connecting: true });
    setImmediate(() => socket.destroy(failures.length > 1 ? new AggregateError(failures) : failures[0]));
    return socket;
  });
  expect(await loopbackClient().post(callbackTo('http://127.0.0.1:1024/'))).toMatchObject({ error });
  connect.mockRestore();
});

test('a name server that does not respond counts against the same timeout', async () => {
  const never: Resolve = () => new Promise(() => {});
  expect(await loopbackClient(never).post(callbackTo('https://partner.example/', 60))).toMatchObject({
    error: 'timeout',
  });
});

const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');

test.each<[string, Record<string, string>, string | Buffer, string | undefined]>([
  ['text', { 'content-type': 'text/plain' }, 'no such route\n', 'no such route'],
  ['JSON without a type', {}, '{"error":"bad msisdn"}', '{"error":"bad msisdn"}'],
  ['300 characters of a long text, none of them cut in two', {}, '😀'.repeat(400), '😀'.repeat(300)],
  ['text beyond what is read of a body', {}, 'x'.repeat(100_000), 'x'.repeat(300)],
  [
    'text in the charset that it declares',
    { 'content-type': 'text/html; charset=windows-1251' },
    Buffer.from('cee0', 'hex'),
    'Оа',
  ],
  ['nothing of a charset that nobody knows', { 'content-type': 'text/html; charset=none' }, 'x', undefined],
  ['nothing of a picture', { 'content-type': 'image/png' }, png, undefined],
  ['nothing of control characters', {}, 'a\u0000b', undefined],
  ['nothing of an empty body', {}, ' \n', undefined],
])('a failed attempt says what it was told: %s', async (_what, headers, body, response) => {
  const partner = await loopbackPartner();
  partner.responses((serverResponse) => serverResponse.writeHead(500, headers).end(body));
  const result = await loopbackClient().post(callbackTo(partner.url));
  expect(result).toMatchObject({ ok: false, httpStatus: 500 });
  expect('response' in result ? result.response : undefined).toBe(response);
});
