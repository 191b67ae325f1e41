import { expect, test } from 'vitest';
import { alertsEndpointOf } from '../../../shared/callbacks/alerts-endpoint.ts';
import { noon } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const rig = inEachTest(partnerCliRig);

test('rule 55: show tells where alerts go and whether they arrive, as GET /alerts does to who may only look', async () => {
  await rig.createBars();
  expect((await rig.run('show bars')).out).toMatch(/\nAlerts\n {2}no address$/);
  const id = alertsEndpointOf('bars');
  const settings = {
    status: 'enabled' as const,
    signingSecrets: [{ secret: 'whsec_c2VjcmV0', createdAt: noon }],
    timeoutMs: 15_000,
  };
  await rig.endpoints.save({
    ...settings,
    partnerId: id,
    url: 'https://hooks.example/T0/secret',
    kinds: ['list.held'],
  });
  expect((await rig.run('show bars')).out.split('\nAlerts\n')[1]).toBe(
    `  Server  https://hooks.example
  State   enabled
  Health  no failure since its last success or change
  Kinds   list.held`,
  );
  const url = 'https://hooks.example/T0/secret';
  await rig.endpoints.save({
    ...settings,
    partnerId: id,
    url,
    status: 'disabled',
    disabledReason: 'HTTP 410',
  });
  await rig.endpoints.stepCircuit(id, (circuit) => ({ ...circuit, failingSince: noon }), { nowMs: noon });
  const { alerts } = (await rig.json('show bars')) as { alerts: object };
  expect(alerts).toEqual({
    url: 'https://hooks.example',
    kinds: [
      'endpoint.failing',
      'endpoint.recovered',
      'endpoint.disabled',
      'callbacks.failed',
      'list.held',
      'list.failed',
    ],
    status: 'DISABLED',
    reason: 'HTTP 410',
    circuit: { state: 'CLOSED' },
    failingSince: '2026-05-20T12:00:00.000Z',
    secrets: [{ createdAt: '2026-05-20T12:00:00.000Z' }],
  });
});
