import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { account } from '../template/account.ts';

export type EngineResponse = Awaited<ReturnType<typeof post>>;

const agent = new Agent({ keepAlive: true });

/**
 * Sends a body to an engine. It does not use `fetch`, which takes more than twice the processor time, nor
 * `node:stream/consumers`, which adds a third: there are thousands of calls.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
  signal?: AbortSignal,
) {
  const outgoing = request(url, { method: 'POST', headers, agent, ...(signal ? { signal } : {}) });
  // An error after the response has begun also makes reading the body fail, which reports it.
  outgoing.on('error', () => undefined).end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const contentType = incoming.headers['content-type'] ?? 'application/x-amz-json-1.0';
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  await once(incoming, 'end');
  return { status: incoming.statusCode ?? 500, contentType, body: Buffer.concat(chunks) };
}

/** The error response of an engine; `code` is its AWS name (`QueueDoesNotExist`). */
export class EngineError extends Error {
  override name = 'EngineError';
  readonly code: string;
  readonly response: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, response: EngineError['response']) {
    super(`${code}: ${message}`);
    this.code = code;
    this.response = response;
  }
}

/** Headers that engines require. They read the region from them, and never check the signature. */
export function unsignedHeaders(service: string): Record<string, string> {
  const credential = `local/20260101/${account.region}/${service}/aws4_request`;
  return {
    'x-amz-date': '20260101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
  };
}

const services = {
  dynamodb: { target: 'DynamoDB_20120810', signingName: 'dynamodb' },
  streams: { target: 'DynamoDBStreams_20120810', signingName: 'dynamodb' },
  sqs: { target: 'AmazonSQS', signingName: 'sqs' },
} as const;

export type Call = <Output = Record<string, unknown>>(
  operation: string,
  input: object,
  signal?: AbortSignal,
) => Promise<Output>;

/** Calls one AWS service in its own JSON protocol: lighter than a client, and numbers stay as they are. */
export function jsonCaller(endpoint: string, service: keyof typeof services): Call {
  const { target, signingName } = services[service];
  const common = { 'content-type': 'application/x-amz-json-1.0', ...unsignedHeaders(signingName) };
  return async (operation, input, signal) => {
    const headers = { ...common, 'x-amz-target': `${target}.${operation}` };
    const { status, body } = await post(endpoint, headers, JSON.stringify(input), signal);
    const text = body.toString();
    const response = text === '' ? {} : JSON.parse(text);
    if (status === 200) return response;
    const code = String(response.__type ?? status).replace(/^.*#/, '');
    throw new EngineError(code, String(response.message ?? response.Message ?? text), response);
  };
}

export function isEngineError(error: unknown, ...codes: readonly string[]): error is EngineError {
  return error instanceof EngineError && codes.some((code) => error.code.endsWith(code));
}

/** The response of a call, or `undefined` if the engine refuses it with one of these codes. */
export async function unlessRefused<Output>(
  call: Promise<Output>,
  ...codes: readonly string[]
): Promise<Output | undefined> {
  return call.catch((error: unknown) => {
    if (!isEngineError(error, ...codes)) throw error;
    return undefined;
  });
}
