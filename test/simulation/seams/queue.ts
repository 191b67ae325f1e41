import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Queue } from '../../../shared/queues/send-all.ts';
import { theRun } from '../core/current.ts';
import type { SendCommand } from '../core/queues.ts';

export function connectQueue(url: string): Queue {
  const name = url.split('/').at(-1) ?? '';
  const client = { send: (command: SendCommand) => theRun().queues.send(name, command) };
  // The service only sends.
  return { url, client: client as unknown as SQSClient };
}
