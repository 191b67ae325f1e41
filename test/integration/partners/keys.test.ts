import { describe, expect, test } from 'vitest';
import { invalid, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { justBefore } from '../../support/intercept-calls.ts';
import { keysRig, type Made } from './keys-rig.ts';

const rig = inEachTest(keysRig);

describe('rule 31: a new key', () => {
  test('works with its secret, which is shown once and stored nowhere', async () => {
    const till = await rig.made({ role: 'cash-desk', label: 'Till 2', placeIds: ['bar-1'] });
    expect(till).toMatchObject({ role: 'cash-desk', label: 'Till 2', placeIds: ['bar-1'] });
    expect(till.secret).toHaveLength(43);
    expect(await rig.contextOf(till)).toMatchObject({
      partnerId: 'bars',
      login: till.login,
      role: 'cash-desk',
      offerIds: ['bars-club'],
      places: expect.stringMatching(/^[\w-]{11}$/),
    });
    const listed = await rig.bars('list');
    expect(listed.body).toMatchObject({ keys: [{ login: 'bars' }, { login: till.login, label: 'Till 2' }] });
    const observer = await rig.made({ role: 'observer', label: '' });
    expect(observer).not.toHaveProperty('label');
    expect(JSON.stringify(listed.body)).not.toContain(till.secret);
    expect(JSON.stringify(await rig.table.rows())).not.toContain(till.secret);
    const self = await rig.as(await rig.contextOf(till))('self');
    expect(self.body).toEqual({
      login: till.login,
      partnerId: 'bars',
      role: 'cash-desk',
      offerIds: ['bars-club'],
      limited: false,
      placeIds: ['bar-1'],
      limits: {
        pushesPerMinute: 1_000,
        bulkRecipients: 10_000,
        multiMessages: 1_000,
        removalPercent: 50,
        tillRequests: 1_000,
        heavyRequests: 60,
        otherRequests: 1_000,
      },
    });
  });

  test('a replay of its request has null in the place of the secret', async () => {
    const request = { body: { role: 'observer' }, headers: { 'idempotency-key': 'k' } };
    const first = (await rig.bars('create', request)).body as Made;
    const replay = await rig.bars('create', request);
    expect(replay.body).toEqual({ ...first, secret: null });
    expect((await rig.bars('list')).body).toMatchObject({ keys: [{}, { login: first.login }] });
  });

  test.each([
    [
      { role: 'messages', offerIds: ['bars-club'] },
      'offerIds: messages belong to the whole account, a key of the role messages cannot be limited to loyalty programs',
    ],
    [
      { role: 'full', placeIds: ['bar-1'] },
      'placeIds: only a key of the role cash-desk can be limited to service points',
    ],
    [
      { role: 'cash-desk', placeIds: Array.from({ length: 40 }, (_, n) => `${'я'.repeat(49)}${n + 100}`) },
      'placeIds: must have at most 4,000 bytes of UTF-8 together',
    ],
  ])('%j is refused', async (body, sentence) => {
    expect(await rig.bars('create', { body })).toMatchObject(invalid(sentence));
  });

  test('from before that limit is still listed', async () => {
    const placeIds = Array.from({ length: 40 }, (_, n) => `${'я'.repeat(60)}${n + 100}`);
    const before = {
      login: 'till',
      role: 'cash-desk',
      placeIds,
      secret: { digest: 'd', createdAt: 1 },
    } as const;
    await rig.keys.create('bars', before);
    expect(await rig.bars('list')).toMatchObject({ status: 200, body: { keys: [{}, { placeIds }] } });
  });

  test("is not limited to another partner's offer", async () => {
    const body = { role: 'catalog', offerIds: ['bakery-club'] };
    expect(await rig.bars('create', { body })).toMatchObject(refusal(403, 'OFFER_FORBIDDEN'));
  });

  test('is the twentieth at most, also when two are made at once', async () => {
    for (let n = 0; n < 18; n++) await rig.made({ role: 'observer' });
    const both = await Promise.all([1, 2].map(() => rig.bars('create', { body: { role: 'observer' } })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ status: 'KEY_LIMIT_EXCEEDED' });
  });
});

test('rule 50: a key whose partner was disabled changes nothing, though the gateway still lets it in', async () => {
  await rig.admin.setDisabled('bars', true);
  expect(await rig.bars('create', { body: { role: 'observer' } })).toMatchObject(
    refusal(403, 'ROLE_FORBIDDEN'),
  );
  expect(await rig.keys.list('bars')).toHaveLength(1);
  // An operator may make a key, which is disabled too.
  const secret = { digest: 'd', createdAt: 1 };
  await rig.keys.create('bars', { login: 'bars-till', role: 'observer', secret });
  expect(await rig.keys.find('bars', 'bars-till')).toMatchObject({ disabled: true });
});

describe('rule 31: an end', () => {
  test('of the last full key is refused, also when two delete each other', async () => {
    expect(await rig.bars('delete', { login: 'bars' })).toMatchObject(refusal(409, 'LAST_FULL_KEY'));
    // A key that is limited to offers may not do everything.
    const limited = await rig.made({ role: 'full', offerIds: ['bars-club'] });
    expect(await rig.keys.remove('bars', 'bars', { atMs: rig.clock.now() })).toBe('last full key');
    expect((await rig.bars('delete', { login: limited.login })).status).toBe(200);
    const second = await rig.made({ role: 'full' });
    const other = rig.as(await rig.contextOf(second));
    let bySecond: { status: number } | undefined;
    const isTransaction = ({ name }: { name: string }) => name.startsWith('TransactWrite');
    justBefore(rig.table.client, isTransaction, async () => {
      bySecond = await other('delete', { login: 'bars' });
    });
    expect(await rig.bars('delete', { login: second.login })).toMatchObject(refusal(409, 'LAST_FULL_KEY'));
    expect(bySecond?.status).toBe(200);
    expect((await rig.keys.list('bars')).filter(({ role }) => role === 'full')).toHaveLength(1);
  });

  test('rule 63: of the key of the request itself is refused, also if it has another secret; an operator may', async () => {
    const own = await rig.made({ role: 'full' });
    await rig.bars('rotate', { login: own.login });
    const sentence = `login: this request was made with ${own.login} itself; make it with another key`;
    const asOwn = rig.as(await rig.contextOf(own));
    const inUse = refusal(409, 'SECRET_IN_USE', sentence);
    expect(await asOwn('delete', { login: own.login })).toMatchObject(inUse);
    expect(await rig.work(own)).toEqual([true]);
    expect(await rig.keys.remove('bars', own.login, { atMs: rig.clock.now() })).toBe('done');
  });

  test('of a key beyond the limits of another is refused for that, whether or not it is the last full one, and so is any change; it is not listed', async () => {
    await rig.admin.addOffer('bars', 'bars-cafe');
    const made = await rig.made({ role: 'full', offerIds: ['bars-club'] });
    const limited = rig.as(await rig.contextOf(made));
    const ofBoth = await rig.made({ role: 'full', offerIds: ['bars-club', 'bars-cafe'] });
    await rig.made({ role: 'observer', offerIds: ['bars-cafe'] });
    const till = await rig.made({ role: 'cash-desk', offerIds: ['bars-club'] });
    const beyond = refusal(403, 'OFFER_FORBIDDEN');
    for (const login of ['bars', ofBoth.login])
      for (const change of ['rotate', 'retire', 'delete'] as const)
        expect(await limited(change, { login })).toMatchObject(beyond);
    const body = { role: 'catalog', offerIds: ['bars-club', 'bars-cafe'] };
    expect(await limited('create', { body })).toMatchObject(beyond);
    const listed = (await limited('list')).body;
    expect(listed).toMatchObject({ keys: [{ login: made.login }, { login: till.login }] });
  });

  test('rule 50: takes the key from the authorizer, and it manages no keys while its answer is cached', async () => {
    const second = await rig.made({ role: 'full' });
    const cached = rig.as(await rig.contextOf(second));
    expect(await rig.bars('delete', { login: second.login })).toMatchObject({
      status: 200,
      body: { effectiveWithinSeconds: 300 },
    });
    expect(await rig.work(second)).toEqual([false]);
    // Another partner may get a key of this login.
    expect(await rig.table.rows('PARTNERS')).toMatchObject([{}, { logins: ['bars'] }]);
    const ended = {
      status: 403,
      body: { errors: ['role: this key, or the secret that was used, has ended'] },
    };
    expect(await cached('create', { body: { role: 'full' } })).toMatchObject(ended);
    expect(await cached('rotate', { login: 'bars' })).toMatchObject(ended);
  });

  test('rule 50: of a secret ends what it may do with keys at once, though the key lives', async () => {
    const leaked = rig.as(await rig.contextOf({ login: 'bars', secret: 'secret-of-bars' }));
    rig.clock.advance(1_000);
    const next = (await rig.bars('rotate', { login: 'bars' })).body as Made;
    await rig.as(await rig.contextOf(next))('retire', { login: 'bars' });
    expect(await leaked('create', { body: { role: 'full' } })).toMatchObject({ status: 403 });
  });
});

test('rule 48: a key sees what is agreed of each kind of request, and what is not', async () => {
  const key = await rig.keys.find('bars', 'bars');
  if (key) await rig.admin.setLimits(key, { tillRequests: 1, heavyRequests: 2, otherRequests: 3 });
  const { body } = await rig.as(await rig.contextOf({ login: 'bars', secret: 'secret-of-bars' }))('self');
  const agreed = { tillRequests: 1, heavyRequests: 2, otherRequests: 3 };
  expect(body).toMatchObject({ limits: { ...agreed, pushesPerMinute: 1_000, bulkRecipients: 10_000 } });
});

test('what is true of the partner changes in all its keys, also in one that is made meanwhile', async () => {
  const till = await rig.made({ role: 'cash-desk' });
  const key = await rig.keys.find('bars', 'bars');
  if (!key) throw new Error('bars has no key');
  const [added, , meanwhile] = await Promise.all([
    rig.admin.addOffer('bars', 'bars-of-kazan'),
    rig.admin.setLimits(key, { pushesPerMinute: 5 }),
    rig.made({ role: 'observer' }),
  ]);
  expect(added).toBe('added');
  // Another operator has changed them since they were read.
  expect(await rig.admin.setLimits(key, { pushesPerMinute: 6 })).toBe(false);
  for (const key of [till, meanwhile]) {
    expect(await rig.contextOf(key)).toMatchObject({
      offerIds: ['bars-club', 'bars-of-kazan'],
      limits: { pushesPerMinute: 5 },
    });
  }
  await rig.admin.setDisabled('bars', true);
  expect(await rig.work(till)).toEqual([false]);
  expect(await rig.admin.removeOffer('bars', 'bars-of-kazan')).toBe(true);
  expect(await rig.admin.find('bars')).toMatchObject({ offerIds: ['bars-club'], disabled: true });
});

test('a key limited to an offer loses it with the partner', async () => {
  const till = await rig.made({ role: 'cash-desk', offerIds: ['bars-club'] });
  await rig.admin.removeOffer('bars', 'bars-club');
  expect(await rig.contextOf(till)).toMatchObject({ offerIds: [] });
  const limited = rig.as(await rig.contextOf(await rig.made({ role: 'full' })));
  expect((await limited('delete', { login: till.login })).status).toBe(200);
});

test('rule 50: a limited full key whose partner has lost one of its offers gives out the others while there are any, and lists what it manages', async () => {
  await rig.admin.addOffer('bars', 'bars-cafe');
  const both = { offerIds: ['bars-club', 'bars-cafe'] };
  const till = await rig.made({ role: 'cash-desk', ...both });
  const owner = await rig.made({ role: 'full', ...both });
  await rig.admin.removeOffer('bars', 'bars-cafe');
  const limited = rig.as(await rig.contextOf(owner));
  const made = await limited('create', { body: { role: 'observer' } });
  expect(made).toMatchObject({ status: 200, body: { offerIds: ['bars-club'] } });
  const { keys } = (await limited('list')).body as { keys: Made[] };
  const logins = keys.map(({ login }) => login);
  expect(logins).toEqual([till.login, owner.login, (made.body as Made).login]);
  await rig.admin.removeOffer('bars', 'bars-club');
  const none = await limited('create', { body: { role: 'observer' } });
  expect(none).toMatchObject(refusal(403, 'OFFER_FORBIDDEN'));
});
