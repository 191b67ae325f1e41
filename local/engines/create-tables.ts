import { failure } from '../../ops/cli/command-line.ts';
import type { TableModel } from '../template/service-model.ts';
import { type Call, unlessRefused } from './json-call.ts';

type Description = {
  Table: { LatestStreamArn: string; GlobalSecondaryIndexes?: readonly { IndexName: string }[] };
};

/** Fails if a table of an earlier run lacks an index that was added to the template since. */
function demandIndexes({ name, definition }: TableModel, { Table }: Description): void {
  const there = new Set<unknown>(Table.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const missing = definition.GlobalSecondaryIndexes?.find(({ IndexName }) => !there.has(IndexName));
  if (!missing) return;
  throw failure(
    `Table ${name} was left by an earlier run and has no index "${missing.IndexName}": start from scratch with --fresh.`,
  );
}

/** Creates the table as the template describes it, or takes the one an earlier run left. */
export async function createTable(call: Call, model: TableModel) {
  const TableName = model.name;
  const StreamSpecification = { StreamEnabled: true, StreamViewType: model.streamViewType };
  const creation = call('CreateTable', { TableName, ...model.definition, StreamSpecification });
  if (await unlessRefused(creation, 'ResourceInUseException')) {
    await call('UpdateTimeToLive', {
      TableName,
      TimeToLiveSpecification: { AttributeName: model.timeToLiveAttribute, Enabled: true },
    });
  }
  const description = await call<Description>('DescribeTable', { TableName });
  demandIndexes(model, description);
  /** The name by which the engine knows the stream. Events carry the template's name. */
  const engineStreamArn = description.Table.LatestStreamArn;
  return { model, engineStreamArn };
}

export async function dropTable(call: Call, { name }: TableModel): Promise<void> {
  await unlessRefused(call('DeleteTable', { TableName: name }), 'ResourceNotFoundException');
}
