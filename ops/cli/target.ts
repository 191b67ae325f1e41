import { DynamoDBClient, DynamoDBServiceException, paginateListTables } from '@aws-sdk/client-dynamodb';
import { Option } from '@commander-js/extra-typings';
import { ServiceException } from '@smithy/core/client';
import * as z from 'zod/mini';
import { type Stage, stageConfig, stages } from '../../infra/config.ts';
import { defaultStateDir, npmRun, quoted, readEndpoints } from '../../local/running-service.ts';
import type { OwnService } from '../../shared/platform/egress/own-address.ts';
import { type AddressPolicy, addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { BatchesCutShort } from '../../shared/platform/table/batches.ts';
import { unitsOf } from '../../shared/platform/table/consumed-capacity.ts';
import { UnknownRow } from '../../shared/platform/table/row-kinds.ts';
import { connectLocalTable, connectTable, type Table } from '../../shared/platform/table/table.ts';
import { failure } from './command-line.ts';
import { watchReads } from './damaged-row.ts';
import { oneOf } from './option-values.ts';

/** The table that a command works on, and which addresses may be called back from there. */
export type Target = {
  table: Table;
  addresses: AddressPolicy;
  /** The service itself. The API's own name in AWS is not known here, a custom domain is. */
  own: OwnService;
  /** The default rate of that stage, for partners without an agreed one. */
  pushesPerMinute: number;
};

export type TargetOptions = {
  state: string;
  stage?: Stage | undefined;
  table?: string | undefined;
};

export const stateOption = new Option('--state <folder>', 'The state folder of the local service')
  .default(defaultStateDir)
  .conflicts(['stage', 'table']);
export const stageOption = new Option('--stage <stage>', `A deployed stage instead: ${stages.join(', ')}`)
  .argParser(oneOf(stages))
  .conflicts('table');
export const tableOption = new Option('--table <name>', 'A table in AWS instead, by its name');

/** A command of `npm run partner` for the same table: `npm run partner -- callback enable bars --stage prod`. */
export function partnerCommandOn({ state, stage, table }: TargetOptions, words: string): string {
  const inAws = stage === undefined ? table && `--table ${quoted(table)}` : `--stage ${stage}`;
  return inAws ? `npm run partner -- ${words} ${inAws}` : npmRun('partner', words, state);
}

/** Says what the options name: `stage prod`. */
export function targetText({ state, stage, table }: TargetOptions): string {
  if (stage !== undefined) return `stage ${stage}`;
  return table === undefined ? `the local service on ${state}` : `table ${table}`;
}

/** Says where the table is: `table T of stage prod, in eu-central-1, account 000000000000`, which not all credentials know. */
export async function placeOf({ client: { config }, name }: Table, options: TargetOptions): Promise<string> {
  if (isLocal(options)) return `table ${name} of ${targetText(options)}`;
  const [region, { accountId }] = await Promise.all([config.region(), config.credentials()]);
  const stage = stageOfTable(name);
  return `table ${name}${stage ? ` of stage ${stage}` : ''}, in ${region}${accountId ? `, account ${accountId}` : ''}`;
}

function isLocal({ stage, table }: TargetOptions): boolean {
  return stage === undefined && table === undefined;
}

/** The stage whose stacks, or whose restores, named the table. */
export function stageOfTable(name: string): Stage | undefined {
  return stages.find((stage) => name.startsWith(`${stageConfig(stage).namePrefix}-`));
}

/** Opens the table that the options name, and closes it after the work. */
export async function withTarget<Done>(options: TargetOptions, work: (target: Target) => Promise<Done>) {
  let target: Target | undefined;
  let mayHaveWritten = () => false;
  let damageOf: ReturnType<typeof watchReads> | undefined;
  try {
    target = await openTarget(options);
    mayHaveWritten = watchWrites(target.table);
    damageOf = watchReads(target.table);
    return await work(target);
  } catch (error) {
    const sentence = damageOf?.(error) ?? tableErrorSentence(error, options);
    if (sentence === undefined) throw error;
    const isHalfDone = mayHaveWritten() && !(error instanceof BatchesCutShort);
    const whole = sentence.replace(/\.?$/, '.');
    throw failure(isHalfDone ? `${whole} Part or all of it may be done: run it again.` : sentence);
  } finally {
    target?.table.client.destroy();
  }
}

/** Returns whether a call has written to the table, or may have: its response was lost. */
function watchWrites({ client }: Table): () => boolean {
  let hasWritten = false;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        const isWrite = unitsOf(String(commandName).replace(/Command$/, '')) === 'write';
        try {
          const done = await next(call);
          hasWritten ||= isWrite;
          return done;
        } catch (error) {
          hasWritten ||= isWrite && mayHaveArrived(error);
          throw error;
        }
      },
    { step: 'initialize' },
  );
  return () => hasWritten;
}

/** Whether the call may have taken effect: it was sent, or failed in the service. */
function mayHaveArrived(error: unknown): boolean {
  const { name, code, $fault } = error as { name?: string; code?: string; $fault?: string };
  return name === 'TimeoutError' || code === 'ECONNRESET' || code === 'ETIMEDOUT' || $fault === 'server';
}

async function openTarget({ state, stage, table }: TargetOptions): Promise<Target> {
  if (table !== undefined) return inAws(table);
  return stage === undefined ? inLocalService(state) : inAws(await tableOfStage(stage));
}

function inAws(name: string): Target {
  const stage = stageOfTable(name) ?? 'prod';
  const { pushesPerMinute, domain } = stageConfig(stage);
  const own = ownService(stage, domain ? [`https://${domain.name}`] : []);
  return { table: connectTable(name), addresses: addressPolicy('public'), own, pushesPerMinute };
}

/**
 * Finds the table of a stage among the account's tables, because CloudFormation appends random letters to its name.
 * Reading the name from the stack would take another client of the SDK and another permission.
 */
async function tableOfStage(stage: Stage): Promise<string> {
  const name = new RegExp(`^${stageConfig(stage).namePrefix}-data-Table(-[A-Z0-9]+)?$`);
  const client = new DynamoDBClient({});
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    found.push(...TableNames.filter((one) => name.test(one)));
  }
  client.destroy();
  const [only, ...others] = found;
  if (only === undefined)
    throw failure(
      `Stage ${stage} has no table in ${await client.config.region()} in this account: ${chooseOthers}.`,
    );
  if (others.length > 0)
    throw failure(`Stage ${stage} has several tables, choose with --table: ${found.join(', ')}.`);
  return only;
}

function ownService(stage: Stage, origins: readonly string[]): OwnService {
  return { origins, hasReceivers: stageConfig(stage).wallet === 'simulated' };
}

const TableEndpoints = z.object({ tableName: z.string(), dynamodb: z.string(), baseUrl: z.string() });

function inLocalService(stateDir: string): Target {
  const endpoints = readEndpoints(stateDir, TableEndpoints);
  if (!endpoints) throw failure(notRunning(stateDir));
  return {
    table: connectLocalTable(endpoints.tableName, endpoints.dynamodb),
    addresses: addressPolicy('loopback-too'),
    own: ownService('dev', [endpoints.baseUrl]),
    pushesPerMinute: stageConfig('dev').pushesPerMinute,
  };
}

function notRunning(stateDir: string): string {
  return `The service does not run on ${stateDir}: start it with npm start, or name a deployed one with --stage.`;
}

const chooseOthers = 'choose others by AWS_PROFILE and AWS_REGION';

/** Of credentials that have ended, or that AWS does not know. */
const refusedCredentials = /^(Expired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature)/;

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'TimeoutError' || unreachable.has((error as NodeJS.ErrnoException).code ?? ''))
  );
}

/** A sentence for a failed call of the table, if the operator can do something about it. */
function tableErrorSentence(error: unknown, target: TargetOptions): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnknownRow) return error.message;
  if (error instanceof BatchesCutShort)
    return `Not everything was done: run it again. ${tableErrorSentence(error.cause, target) ?? 'The table is too busy.'}`;
  if (isUnreachable(error) && isLocal(target)) return notRunning(target.state);
  if (isUnreachable(error)) return 'The table cannot be reached: check AWS_REGION and the network.';
  if (error.name === 'ResourceNotFoundException')
    return `There is no such table in this account and region, or it is still being restored: check its name, or ${chooseOthers}.`;
  if (error.name === 'CredentialsProviderError') {
    return `There are no AWS credentials (${error.message}): log in, or choose a profile with AWS_PROFILE.`;
  }
  if (error.message === 'Region is missing' || error.message.startsWith('Region not accepted'))
    return 'There is no AWS region, or no such one: set AWS_REGION, or choose a profile with AWS_PROFILE.';
  if (refusedCredentials.test(error.name))
    return `AWS takes these credentials no more, or never did (${error.name}): log in, or choose a profile with AWS_PROFILE.`;
  if (error.name === 'AccessDeniedException')
    return `The table refused (${error.name}): ${error.message.replace(/\.$/, '')}. docs/deploying.md has the policies of commands.`;
  if (error instanceof DynamoDBServiceException) return `The table refused (${error.name}): ${error.message}`;
  // A profile that assumes a role asks another service for credentials.
  if (error instanceof ServiceException) return `AWS refused (${error.name}): ${error.message}`;
  return undefined;
}
