import { expect, test } from 'vitest';
import { diesAfterItsWork } from '../../support/dies-after-its-work.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { keysRig, type Made } from './keys-rig.ts';

const rig = inEachTest(keysRig);

test('rule 31: a key is not made twice by a request that died and is repeated', async () => {
  const request = { login: 'bars-till', role: 'observer' } as const;
  for (const digest of ['first', 'second']) {
    const secret = { digest, createdAt: 1, madeBy: 'request-1' };
    expect(await rig.keys.create('bars', { ...request, secret })).toMatchObject({ outcome: 'created' });
  }
  expect(await rig.keys.list('bars')).toMatchObject([{}, { secrets: [{ digest: 'second' }] }]);
  const third = { digest: 'third', createdAt: 1, madeBy: 'request-2' };
  expect(await rig.keys.create('bars', { ...request, secret: third })).toEqual({ outcome: 'login taken' });
});

test('rule 31: a request that died ends no secret that was rotated in since', async () => {
  const created = { login: 'bars-till', role: 'observer' } as const;
  const secret = { digest: 'first', createdAt: 1, madeBy: 'request-1' };
  await rig.keys.create('bars', { ...created, secret });
  await rig.bars('rotate', { login: 'bars-till' });
  expect(await rig.keys.create('bars', { ...created, secret: { ...secret, digest: 'second' } })).toEqual({
    outcome: 'login taken',
  });
});

test('rule 31: a limited key does not continue a request that died of a key without limits', async () => {
  const limited = await rig.contextOf(await rig.made({ role: 'full', offerIds: ['bars-club'] }));
  const request = { body: { role: 'full' }, headers: { 'idempotency-key': 'k' } };
  await diesAfterItsWork(rig, () => rig.bars('create', request));
  expect(await rig.as(limited)('create', request)).toMatchObject({ status: 422 });
  expect((await rig.bars('create', request)).body).toMatchObject({ secret: expect.any(String) });
});

test('rule 63: a rotation that died is repeated under its Idempotency-Key: the secret that nobody saw goes', async () => {
  const till = await rig.made({ role: 'observer' });
  rig.clock.advance(1_000);
  const again = { login: till.login, headers: { 'idempotency-key': 'rotation-1' } };
  const unseen = (await diesAfterItsWork(rig, () => rig.bars('rotate', again))).body as Made;
  const next = (await rig.bars('rotate', again)).body as Made;
  expect(await rig.work(till, unseen, next)).toEqual([true, false, true]);
});

test('rule 5: a retirement that died and is repeated ends no secret that was the newer one then', async () => {
  const till = await rig.made({ role: 'observer' });
  const { login } = till;
  const rotate = async () => {
    rig.clock.advance(1_000);
    return (await rig.bars('rotate', { login })).body as Made;
  };
  const second = await rotate();
  const again = { login, headers: { 'idempotency-key': 'retirement-1' } };
  const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
  await rig.bars('retire', again);
  rig.clock.advance(60_000);
  // Nothing has changed since: the repetition is done.
  const done = { status: 200, body: { login, effectiveWithinSeconds: 300 } };
  expect(await rig.bars('retire', again)).toMatchObject(done);
  const third = await rotate();
  rig.clock.advance(60_000);
  expect(await rig.bars('retire', again)).toMatchObject({ status: 409 });
  dies.remove();
  expect(await rig.work(till, second, third)).toEqual([false, true, true]);
});

test('two retirements that found the same two secrets are both done', async () => {
  await rig.bars('rotate', { login: 'bars' });
  const [found] = await rig.keys.list('bars');
  const retire = async () => found && rig.keys.retire(found, { atMs: rig.clock.now() });
  expect([await retire(), await retire()]).toEqual(['done', 'done']);
});
