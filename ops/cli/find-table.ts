import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { configOf, type Stage, stages } from '../../infra/config.ts';
import { type AddressPolicy, addressPolicy } from '../../shared/callbacks/public-address.ts';
import { connectTable, type Table } from '../../shared/table/table.ts';
import type { OptionSet, Options } from './options.ts';
import { failed, wrongUsage } from './stop.ts';

/** The table that a command works on, and which addresses may be called back from there. */
export interface Target {
  readonly table: Table;
  readonly addresses: AddressPolicy;
  readonly local: boolean;
}

export const targetOptions: OptionSet = {
  state: { value: 'FOLDER', text: 'The state folder of the local service (default .local)' },
  stage: { value: 'STAGE', text: `A deployed stage instead: ${stages.join(', ')}` },
  table: { value: 'NAME', text: 'A table in AWS instead, by its name' },
};

export function notRunning(stateDir: string): string {
  return `The service does not run on ${stateDir}: begin it with npm start, or name a deployed one with --stage.`;
}

const defaultStateDir = '.local';

/** What can be said of the target's options without asking AWS. */
export function checkTarget(options: Options): void {
  const chosen = ['state', 'stage', 'table'].filter(options.has);
  if (chosen.length > 1) throw wrongUsage(`--${chosen.join(' and --')} exclude each other.`);
  options.oneOf('stage', stages);
}

/** The table the options name: that of the local service, unless they say otherwise. */
export async function findTable(options: Options): Promise<Target> {
  checkTarget(options);
  const [stage] = options.oneOf('stage', stages);
  const table = options.text('table');
  if (table !== undefined) return inAws(table);
  if (stage !== undefined) return inAws(await tableOfStage(stage));
  return inLocalService(stateDirOf(options));
}

export function stateDirOf(options: Options): string {
  return options.text('state') ?? defaultStateDir;
}

function inAws(name: string): Target {
  return {
    table: connectTable(name),
    addresses: addressPolicy('public'),
    local: false,
  };
}

/**
 * CloudFormation ends the name of the table with letters of its own, so it is looked for among the account's. Its
 * stack could be asked too, but that would need another client of the SDK and another right.
 */
async function tableOfStage(stage: Stage): Promise<string> {
  const name = new RegExp(`^${configOf(stage).namePrefix}-data-Table(-[A-Z0-9]+)?$`);
  const client = new DynamoDBClient({});
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    found.push(...TableNames.filter((one) => name.test(one)));
  }
  client.destroy();
  const [only, ...others] = found;
  if (only === undefined) throw failed(`Stage ${stage} has no table in this account and region.`);
  if (others.length > 0)
    throw failed(`Stage ${stage} has several tables, choose with --table: ${found.join(', ')}.`);
  return only;
}

const Endpoints = z.object({ tableName: z.string(), dynamodb: z.string() });

function inLocalService(stateDir: string): Target {
  const { tableName, dynamodb } = readEndpoints(stateDir);
  const client = new DynamoDBClient({
    endpoint: dynamodb,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const marshallOptions = { removeUndefinedValues: true };
  return {
    table: { name: tableName, client: DynamoDBDocumentClient.from(client, { marshallOptions }) },
    addresses: addressPolicy('loopback-too'),
    local: true,
  };
}

function readEndpoints(stateDir: string): z.infer<typeof Endpoints> {
  const file = join(stateDir, 'endpoints.json');
  try {
    return Endpoints.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw failed(notRunning(stateDir));
  }
}
