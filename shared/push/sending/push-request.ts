import * as z from 'zod/mini';
import { fail } from '../../platform/http/failures.ts';
import { described } from '../../platform/validation/documented.ts';
import { firstSentences } from '../../platform/validation/format-issues.ts';
import { queryFlag } from '../../platform/validation/query-flag.ts';
import { timeIssues } from '../deadlines/deadline.ts';
import { Msisdn, PushContent, tooLarge } from './push-content.ts';

/** The members of a request that are stored and sent as given. */
const passedOn = ['payload', 'qos', 'utm'] as const;

const whatIsTried = 'everything is validated and looked up, and nothing is sent';

const dryRun = described(z._default(z.boolean(), false), `true: ${whatIsTried}`);

/** The query of C1 to C3 (rule 41). */
const SendQuery = z.object({ dryRun: queryFlag(whatIsTried) });

const Addressed = z.extend(PushContent, { msisdn: Msisdn });

/** C1: one message to one recipient. */
export const SingleRequest = z
  .extend(Addressed, { dryRun })
  .register(z.globalRegistry, { id: 'SendMessageRequest' });

/** C2: one message to a list of recipients. */
export const BulkRequest = z
  .extend(PushContent, { msisdn: z.array(Msisdn).check(z.minLength(1)), dryRun })
  .register(z.globalRegistry, { id: 'SendBulkRequest' });

/** C3: several messages, one recipient each. */
export const MultiRequest = z
  .array(Addressed.register(z.globalRegistry, { id: 'MultiMessage' }))
  .check(z.minLength(1));

/** Whether a request of C1 to C3 is a dry run, by its body or its query. */
export function isDryRun({ query, body }: { query?: unknown; body?: unknown }): boolean {
  return Object(query).dryRun === true || Object(body).dryRun === true;
}

/** A sentence for each content of the body that is larger than the service accepts. */
function checkPassedOn(body: unknown): string[] {
  const sentences = [body].flat().flatMap((content, n) => {
    const sentence = tooLarge(content as PushContent);
    return sentence === undefined ? [] : `${Array.isArray(body) ? `[${n}]` : 'body'}: ${sentence}`;
  });
  return firstSentences(sentences);
}

/** The parts of the contract that C1 to C3 share. */
export const sendContract = {
  query: SendQuery,
  isDryRun,
  passedOn,
  checkPassedOn,
  timeIssues,
} as const;

/** The limits of a partner with whom nothing else was agreed; counted in recipients (the rate as rule 49 says). */
export const defaultPushLimits = { pushesPerMinute: 100_000, bulkRecipients: 10_000, multiMessages: 1_000 };

/** No agreement goes beyond this: the quotas that are requested before a launch are calculated for it. */
export const mostPushesPerMinute = 1_000_000;

/**
 * No agreement goes beyond this: the response of 40,000 recipients takes 5.1 of the 6 MB of a function's response, and
 * gzipped 350 of the 400 kB of the row that keeps it for an Idempotency-Key.
 */
export const mostBulkRecipients = 40_000;

/** The agreed limits of a partner. An absent limit means the default. */
export type PushLimits = { [Limit in keyof typeof defaultPushLimits]?: number | undefined };

/** Refuses a list that is longer than the partner may send. What is no list is the schema's to refuse. */
export function refuseBatch(limits: PushLimits, of: 'bulkRecipients' | 'multiMessages', list: unknown) {
  const limit = Math.min(limits[of] ?? defaultPushLimits[of], mostBulkRecipients);
  const count = Array.isArray(list) ? list.length : 0;
  if (count <= limit) return undefined;
  const given = of === 'bulkRecipients' ? `msisdn: ${count} recipients` : `body: ${count} messages`;
  return fail('BATCH_SIZE_EXCEEDED', `${given}, the limit is ${limit} a request; send several requests`);
}
