import { callHeaders } from '../../../local/engines/json-call.ts';
import { post } from '../../../local/engines/post.ts';
import type { EngineRecord } from '../../../local/streams/stream-record.ts';
import type { TableModel } from '../../../local/template/tables.ts';
import { parseWire } from './table-wire.ts';

export class TableError extends Error {
  readonly code: string;
  readonly answer: object;
  constructor(answer: { __type?: string; message?: string; Message?: string }) {
    super(answer.message ?? answer.Message ?? 'no message');
    this.code = answer.__type?.split('#').at(-1) ?? '';
    this.name = this.code;
    this.answer = answer;
  }
}

const writes = /^(?:Put|Update|Delete|BatchWrite|TransactWrite)/;

type Answer = Record<string, unknown>;

/** The real table engine, for as many runs as this process makes; each has a table of its own. */
export function connectTableEngine(endpoint: string) {
  const ask = async (
    service: 'dynamodb' | 'streams',
    operation: string,
    request: string,
  ): Promise<Answer> => {
    const { status, body } = await post(endpoint, callHeaders(service, operation), request);
    const answer = parseWire(body.toString());
    if (status === 200) return answer;
    throw new TableError(answer);
  };

  let tables = 0;
  return {
    newTable: async (model: TableModel) => {
      tables += 1;
      const name = `simulation-${tables}`;
      const call = (operation: string, body: string) => ask('dynamodb', operation, body);
      const streams = (operation: string, input: object) => ask('streams', operation, JSON.stringify(input));
      const { TableDescription } = await call(
        'CreateTable',
        JSON.stringify({
          TableName: name,
          ...model.definition,
          StreamSpecification: { StreamEnabled: true, StreamViewType: model.streamViewType },
        }),
      );
      const { LatestStreamArn: StreamArn } = TableDescription as { LatestStreamArn: string };
      const { StreamDescription } = await streams('DescribeStream', { StreamArn });
      const [shard] = (StreamDescription as { Shards: [{ ShardId: string }] }).Shards;
      const start = { StreamArn, ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON' };
      let { ShardIterator: iterator } = await streams('GetShardIterator', start);
      let onWrite = (): void => {};
      return {
        name,
        /** Makes one call; the request is the JSON that DynamoDB takes. */
        call: async (operation: string, body: string): Promise<Answer> => {
          const answer = await call(operation, body);
          if (writes.test(operation)) onWrite();
          return answer;
        },
        whenWritten: (told: () => void) => {
          onWrite = told;
        },
        /** What the stream has that was not read yet. */
        changes: async (): Promise<readonly EngineRecord[]> => {
          const { Records, NextShardIterator } = await streams('GetRecords', { ShardIterator: iterator });
          iterator = NextShardIterator;
          return Records as EngineRecord[];
        },
        drop: async (): Promise<void> =>
          void (await call('DeleteTable', JSON.stringify({ TableName: name }))),
      };
    },
  };
}

export type TableEngine = ReturnType<typeof connectTableEngine>;
export type SimulatedTable = Awaited<ReturnType<TableEngine['newTable']>>;
