import type { SQSClient } from '@aws-sdk/client-sqs';
import type { GuardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import type { Work } from '../../../shared/platform/logging/log.ts';
import type { Queue } from '../../../shared/platform/queues/queue.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import { theRun } from '../core/current.ts';
import type { SendCommand, VisibilityCommand } from '../core/queues.ts';
import { tableClient } from '../core/table-client.ts';

export function connectTable(): Table {
  return { client: tableClient, name: theRun.table.name };
}

export function connectQueue(url: string): Queue {
  const name = url.split('/').at(-1) ?? '';
  // The service sends messages with this client, and makes failed ones visible again.
  const client = {
    send: (command: SendCommand | VisibilityCommand) =>
      'ReceiptHandle' in command.input
        ? theRun.queues.changeVisibility(name, command as VisibilityCommand)
        : theRun.queues.send(name, command as SendCommand),
  };
  return { url, client: client as unknown as SQSClient };
}

export function guardedClient(): GuardedClient {
  return { post: (request) => theRun.receive(request) };
}

/** Writes the outcome of work to the timeline instead of a log line, of which only the names of fields are kept. */
export function startWork(code: string, first: object = {}): Work {
  const { log, logged, measured } = theRun;
  const seeName = (name: string): void => void logged.add(`${code} ${name}`);
  const see = (fields: object): void => {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) seeName(name);
  };
  const measure: Work['addMetrics'] = (values) => {
    see(values);
    for (const [name, value] of Object.entries(values)) measured.set(name, (measured.get(name) ?? 0) + value);
  };
  see(first);
  return {
    code,
    addFields: see,
    count: seeName,
    addSample: seeName,
    addTo: () => {},
    addMetrics: measure,
    done: (outcome, more = {}) => {
      see(more);
      log.add(`${code}: ${outcome}`);
    },
    failed: (error, more = {}) => {
      see(more);
      log.add(`${code}: ${error}`);
    },
  };
}
