import { deleteAlertsOperation } from '../../../functions/alerts/delete-alerts.ts';
import { getAlertsOperation } from '../../../functions/alerts/get-alerts.ts';
import { putAlertsOperation } from '../../../functions/alerts/put-alerts.ts';
import { testAlertsOperation } from '../../../functions/alerts/test-alerts.ts';
import type { Documented } from '../documented.ts';

const tag = 'Events';
const settings = {
  url: 'https://hooks.bars.example/alerts',
  kinds: ['endpoint.failing', 'list.held'] as const,
  status: 'ENABLED',
};

export const alertOperations = [
  {
    operation: getAlertsOperation,
    tag,
    summary: 'Show where alerts are posted',
    description: 'And whether they arrive: an address that answers 410, or fails for five days, is disabled.',
    responseExample: {
      ...settings,
      circuit: { state: 'CLOSED' },
      secrets: [{ createdAt: '2026-05-20T12:00:00.000Z' }],
    },
  },
  {
    operation: putAlertsOperation,
    tag,
    summary: 'Have events posted to an address',
    description:
      'Signed by Standard Webhooks; `webhook-id` is the eventId, the body {type, timestamp, data, text}. An incoming webhook of Slack or Mattermost shows the `text`. Replaces what was set, enables alerts again, and answers with a new signing secret, shown this once; the one before it signs too. In effect within 5 seconds.',
    requestExample: { url: settings.url, kinds: settings.kinds },
    responseExample: { ...settings, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
  },
  {
    operation: deleteAlertsOperation,
    tag,
    summary: 'End alerts',
    description: 'Those that wait for another attempt are skipped, unless another address is set by then.',
    responseExample: { deleted: true },
  },
  {
    operation: testAlertsOperation,
    tag,
    summary: 'Try the address with one alert',
    description:
      'One attempt, now, with the type `alerts.test`. It is not repeated, changes no circuit, and works while alerts are disabled. Ten a minute, tests of callbacks included.',
    responseExample: {
      delivered: true,
      httpStatus: 200,
      durationMs: 41.5,
      request: {
        headers: {
          'content-type': 'application/json',
          'user-agent': 'PartnerIntegrationService/0.1.0',
          'webhook-id': '019e4541-ca00-7d11-b600-a1ab44b848c0',
          'webhook-timestamp': '1779278400',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
        body: '{"type":"alerts.test","timestamp":"2026-05-20T12:00:00.000Z","data":{},"text":"bars: this is a test, alerts reach you here."}',
      },
    },
  },
] satisfies readonly Documented[];
