import { CallbackBody, callbackExample } from './callback-body.ts';
import { type Json, schemaOf } from './schema-of.ts';

/** Describes the call that the service makes and a partner implements, as a callback of the operations that request it. */
export function callbacks(requestedBy: string): Json {
  return {
    deliveryStatus: {
      // The URL is agreed with the partner, not sent in a request.
      'https://partner.example/callbacks': { post: deliveryStatus(`${requestedBy}Callback`) },
    },
  };
}

/** The same call as a webhook of the document, for tools that do not read callbacks of operations. */
export function webhooks(): Json {
  return { deliveryStatus: { post: deliveryStatus('DeliveryStatusWebhook') } };
}

function deliveryStatus(operationId: string): Json {
  return {
    operationId,
    tags: ['Push messages'],
    summary: 'A message was delivered, opened, expired or cancelled',
    description:
      "Sent to the partner's endpoint for each state change of a message sent with " +
      '`qos.deliveryStatusNotifications`, singly or in bulk. Signed by Standard Webhooks 1.0.0 (symmetric, v1), with two ' +
      'signatures during a rotation, and with HTTP Basic where the partner gave credentials. At least once, ' +
      'unordered: `webhook-id` is the same at every attempt. Any 2xx counts as received; redirects are not ' +
      'followed; an attempt fails after 15 s. Retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and ' +
      '24 h, each +-20 %, or later as `retry-after` says. 410 disables the endpoint.',
    // OpenAPI has no security scheme for this signature.
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: schemaOf(CallbackBody, 'input'), example: callbackExample },
      },
    },
    responses: {
      '200': { description: 'Received. The body is empty.' },
      '410': {
        description: 'The endpoint is gone: nothing more is sent to it until it is enabled again.',
      },
    },
  };
}
