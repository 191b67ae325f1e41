import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { failingCommand } from '../../support/failing-command.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { selfServiceRig } from './self-service-rig.ts';

const rig = inEachTest(selfServiceRig);

const url = 'https://bars.example/callbacks';

test('rule 33: two secrets sign until the older is retired; a third is refused, and so is retiring the only one', async () => {
  await rig.ask('put', { url });
  expect(await rig.ask('retire')).toMatchObject({ status: 409, body: { status: 'ONE_SECRET_ONLY' } });
  rig.clock.advance(1_000);
  const rotated = (await rig.ask('rotate')).body;
  const both = 'retire the older if the newer is known, or rotate with {"replace": true} if it is not';
  expect(await rig.ask('rotate', {})).toMatchObject({
    status: 409,
    body: { status: 'TWO_SECRETS_ALREADY', errors: [expect.stringContaining(both)] },
  });
  expect((await rig.ask('get')).body).toMatchObject({ secrets: [{}, {}] });
  expect((await rig.ask('retire')).body).toEqual({ secrets: 1 });
  expect((await rig.stored())?.signingSecrets).toMatchObject([rotated]);
});

test('rule 63: replace gives the newer secret up for another: the older and the new one sign', async () => {
  await rig.endpointThatAnswers(204);
  const older = (await rig.stored())?.signingSecrets[0]?.secret ?? '';
  const rotate = (body?: object) => {
    rig.clock.advance(1_000);
    return rig.ask('rotate', body);
  };
  const unseen = (await rotate()).body.secret;
  const { secret } = (await rotate({ replace: true })).body;
  expect(secret).not.toBe(unseen);
  const { headers, body } = (await rig.ask('test', { state: 'DELIVERED' })).body.request;
  const sign = (by: string) => new Webhook(by).sign(headers['webhook-id'], new Date(rig.clock.now()), body);
  expect(headers['webhook-signature'].split(' ').sort()).toEqual([sign(older), sign(secret)].sort());
  expect((await rig.notices())[0]).toEqual(['newer signing secret replaced', 'bars-office']);
});

test('rule 5: a retirement that died and is repeated ends no secret that was the newer one then', async () => {
  await rig.ask('put', { url });
  const rotate = async () => {
    rig.clock.advance(1_000);
    await rig.ask('rotate');
  };
  await rotate();
  const died = failingCommand(
    rig.table.client,
    ({ name, input }) => name === 'UpdateItemCommand' && /^IDEM/.test(input.Key.pk),
  );
  for (const signing of [1, 1, 2]) {
    if (signing === 2) await rotate();
    rig.clock.advance(60_000);
    expect((await rig.askUnder('k1', 'retire')).body).toEqual({ secrets: signing });
  }
  died.remove();
  expect((await rig.stored())?.signingSecrets).toHaveLength(2);
});
