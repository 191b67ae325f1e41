import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';

/** The table that the functions of a stack use. */
export type TableInUse = {
  tableName: string;
  tableArn: string;
  tableStreamArn: string;
};

/** Has the form of a stream's ARN, because CloudFormation checks values that a condition leaves out as well. */
const none = 'arn:aws:dynamodb:::table/none/stream/none';

/**
 * The table of the data stack, or a restored one that a parameter names by its stream, whose ARN contains the table's.
 * CloudFormation does not change an export while a stack imports it, so each stack chooses: one deployment moves its
 * functions to the restored table, and API and queues stay.
 */
export function tableInUse(stack: Stack, { tableName, tableArn, tableStreamArn }: Table): TableInUse {
  if (!tableStreamArn) throw new Error('The table has no stream.');
  const { valueAsString: restored } = new CfnParameter(stack, 'RestoredTableStream', {
    description: 'The ARN of the stream of a restored table, which replaces the table of the data stack.',
    default: none,
    allowedPattern: 'arn:aws:dynamodb:[^:]*:\\d*:table/[^/]+/stream/.+',
  });
  const condition = new CfnCondition(stack, 'OnRestoredTable', {
    expression: Fn.conditionNot(Fn.conditionEquals(restored, none)),
  });
  const either = (ofRestored: string, usual: string) =>
    Fn.conditionIf(condition.logicalId, ofRestored, usual).toString();
  return {
    tableName: either(Fn.select(1, Fn.split('/', restored)), tableName),
    tableArn: either(Fn.select(0, Fn.split('/stream/', restored)), tableArn),
    tableStreamArn: either(restored, tableStreamArn),
  };
}
