import { expect, inject, onTestFinished, test } from 'vitest';
import { sumConsumed } from '../../../local/engines/consumption.ts';
import { startMeter } from '../../../local/engines/engine-meter.ts';
import { post, unsignedHeaders } from '../../../local/engines/json-call.ts';
import { newTable } from '../../support/table.ts';

test('a call that the SDK tried again because the answer was late counts once', async () => {
  const { name } = await newTable();
  const meter = await startMeter({ dynamodb: inject('dynamodbEndpoint'), sqs: inject('sqsEndpoint') });
  onTestFinished(() => meter.stop());
  const put = (callId: string | undefined, input: object) =>
    post(
      meter.endpoints.dynamodb,
      {
        ...unsignedHeaders('dynamodb'),
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.PutItem',
        ...(callId ? { 'amz-sdk-invocation-id': callId } : {}),
      },
      JSON.stringify({ TableName: name, ...input }),
    );
  const row = { Item: { pk: { S: 'row' }, sk: { S: 'row' } } };

  const refused = await put('first', {});
  for (const callId of ['first', 'first', 'second', undefined, undefined]) await put(callId, row);

  expect(refused.status).toBe(400);
  expect(sumConsumed(await meter.taken())).toMatchObject({ write: 4, tableCalls: 5 });
});
