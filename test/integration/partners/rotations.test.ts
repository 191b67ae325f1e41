import { expect, test } from 'vitest';
import { refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { justBefore } from '../../support/intercept-calls.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { keysRig, type Made } from './keys-rig.ts';

const rig = inEachTest(keysRig);

test('rule 63: a rotation whose response was lost is made again with replace: the unseen secret gives way to another, the older goes on working', async () => {
  const till = await rig.made({ role: 'observer' });
  rig.clock.advance(1_000);
  const unseen = (await rig.bars('rotate', { login: till.login })).body as Made;
  rig.clock.advance(1_000);
  expect(await rig.bars('rotate', { login: till.login })).toMatchObject({
    status: 409,
    body: {
      errors: [
        `login: ${till.login} has two secrets already: retire the older if the newer is known, or rotate with {"replace": true} if it is not`,
      ],
    },
  });
  const next = (await rig.bars('rotate', { login: till.login, body: { replace: true } })).body as Made;
  expect(await rig.work(till, unseen, next)).toEqual([true, false, true]);
  const events = await shownEvents(rig);
  expect(events.filter(({ kind }) => kind === 'key.rotated').map(({ data }) => data)).toEqual([
    { login: till.login, replaced: true },
    { login: till.login },
  ]);
});

test('rule 63: a rotation whose response was lost does not end the secret that the request was made with', async () => {
  const first = rig.as(await rig.contextOf({ login: 'bars', secret: 'secret-of-bars' }));
  rig.clock.advance(1_000);
  const second = (await first('rotate', { login: 'bars' })).body as Made;
  const inUse = refusal(
    409,
    'SECRET_IN_USE',
    'login: this request was made with that secret of bars; make it with the other one, or with another key',
  );
  expect(await first('retire', { login: 'bars' })).toMatchObject(inUse);
  const newer = rig.as(await rig.contextOf(second));
  expect(await newer('rotate', { login: 'bars', body: { replace: true } })).toMatchObject(inUse);
  expect(await newer('retire', { login: 'bars' })).toMatchObject({ status: 200 });
});

test('rule 63: of two that replace a secret at once, one is asked to look again', async () => {
  const till = await rig.made({ role: 'observer' });
  rig.clock.advance(1_000);
  await rig.bars('rotate', { login: till.login });
  rig.clock.advance(1_000);
  const replace = () => rig.bars('rotate', { login: till.login, body: { replace: true } });
  let first: Awaited<ReturnType<typeof replace>> | undefined;
  justBefore(
    rig.table.client,
    ({ name }) => name.startsWith('TransactWrite'),
    async () => {
      first = await replace();
    },
  );
  expect(await replace()).toMatchObject({ status: 409, body: { status: 'CHANGED_MEANWHILE' } });
  expect(first?.status).toBe(200);
  expect(await rig.work(first?.body as Made)).toEqual([true]);
});

test('rule 5: an Idempotency-Key that a rotation has is 422 for a rotation of another key, which stays as it is', async () => {
  const headers = { 'idempotency-key': 'k' };
  const [one, another] = [await rig.made({ role: 'observer' }), await rig.made({ role: 'observer' })];
  expect((await rig.bars('rotate', { login: one.login, headers })).status).toBe(200);
  const reused = refusal(422, 'IDEMPOTENCY_KEY_REUSED');
  expect(await rig.bars('rotate', { login: another.login, headers })).toMatchObject(reused);
  expect(await rig.bars('retire', { login: another.login })).toMatchObject(refusal(409, 'ONE_SECRET_ONLY'));
});
