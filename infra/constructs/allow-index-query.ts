import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Service } from '../service.ts';
import type { ServiceFunction } from './service-function.ts';

/** Lets a function query an index of the table; with `keys`, only these of its partition keys. */
export function allowIndexQuery(
  { table }: Pick<Service, 'table'>,
  { lambda }: ServiceFunction,
  { index, keys }: { index: string; keys?: readonly string[] },
): void {
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${table.tableArn}/index/${index}`],
      ...(keys ? { conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } } } : {}),
    }),
  );
}
