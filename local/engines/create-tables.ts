import type { TableModel } from '../template/tables.ts';
import { type Call, isEngineError } from './json-call.ts';

interface Description {
  readonly Table: { readonly TableStatus: string; readonly LatestStreamArn?: string };
}

export interface CreatedTable {
  readonly model: TableModel;
  /** False when an earlier run left it. */
  readonly isNew: boolean;
  /** The engine's own name of the stream; the template's name goes into events. */
  readonly engineStreamArn?: string;
}

const createIfMissing = async (call: Call, model: TableModel): Promise<boolean> => {
  try {
    await call('CreateTable', {
      TableName: model.name,
      ...model.definition,
      BillingMode: 'PAY_PER_REQUEST',
      ...(model.streamViewType
        ? { StreamSpecification: { StreamEnabled: true, StreamViewType: model.streamViewType } }
        : {}),
    });
    return true;
  } catch (error) {
    if (isEngineError(error, 'ResourceInUseException')) return false;
    throw error;
  }
};

/** Creates the table as the template describes it, or takes the one an earlier run left. */
export const createTable = async (call: Call, model: TableModel): Promise<CreatedTable> => {
  const isNew = await createIfMissing(call, model);
  if (isNew && model.timeToLiveAttribute) {
    await call('UpdateTimeToLive', {
      TableName: model.name,
      TimeToLiveSpecification: { AttributeName: model.timeToLiveAttribute, Enabled: true },
    });
  }
  const { Table } = await call<Description>('DescribeTable', { TableName: model.name });
  return { model, isNew, ...(Table.LatestStreamArn ? { engineStreamArn: Table.LatestStreamArn } : {}) };
};
