import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { refusal } from './address-rules.ts';
import { AttemptFailed, type AttemptResult } from './attempt-result.ts';
import { guardedLookup, type Resolve, systemResolve } from './guarded-lookup.ts';
import type { AddressPolicy } from './public-address.ts';
import { responseText } from './response-text.ts';
import type { SignedRequest } from './signed-request.ts';

export type GuardedClient = { post: (request: SignedRequest) => Promise<AttemptResult> };

/**
 * Only the status of a response counts. The body is read so far to free the connection for the next callback, and to
 * show the partner what a failed attempt was told.
 */
const readAtMostBytes = 4_096;
const readAtMostMs = 1_000;
/** Interim responses (1xx) are legal in any number; a server that sends more than this would only keep us busy. */
const maxInterimResponses = 20;
/** Idle connections close before most servers close them. */
const idleMs = 4_000;
/**
 * Per address of a name, of which Node tries one after the other (250 ms by default): enough for a SYN that is lost and
 * sent again after 1 s. The last address, and an only one, has what is left of the whole timeout.
 */
const autoSelectFamilyAttemptTimeout = 2_000;

/**
 * The only egress of this service: posts to partners' addresses, and to nothing internal (rule 25). Addresses are
 * checked in the socket's own lookup, so the address that was checked is the one connected to; a name that
 * resolves to another address a moment later (DNS rebinding) gains nothing. No redirects, no proxy.
 */
export function guardedClient(policy: AddressPolicy, resolve: Resolve = systemResolve()): GuardedClient {
  const connecting = { lookup: guardedLookup(policy, resolve), autoSelectFamilyAttemptTimeout };
  const agents = {
    https: new HttpsAgent({ keepAlive: true, timeout: idleMs, ...connecting }),
    http: new HttpAgent({ keepAlive: true, timeout: idleMs, ...connecting }),
  };
  return {
    post: async (request) => {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        if (refusal(request.url, policy) !== undefined) throw new AttemptFailed('refused');
        const target = urlToHttpOptions(new URL(request.url));
        const agent = target.protocol === 'https:' ? agents.https : agents.http;
        // The agents check addresses as well, but a request that is repeated uses no agent.
        const options = { ...target, agent, ...connecting };
        const { status: httpStatus, headers, body } = await exchange(options, request);
        if (httpStatus >= 200 && httpStatus < 300) return { ok: true, httpStatus, durationMs: durationMs() };
        const retryAfter = headers['retry-after'];
        const response = responseText(body, headers['content-type']);
        return { ok: false, error: 'status', httpStatus, durationMs: durationMs(), retryAfter, response };
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error;
        return { ok: false, error: error.error, durationMs: durationMs() };
      }
    },
  };
}

/** Sends the request and resolves with the response, its body read or cut off; the timeout covers all of it. */
function exchange(target: RequestOptions, request: SignedRequest): Promise<ReadResponse> {
  const options = { ...target, signal: AbortSignal.timeout(request.timeoutMs) };
  return sendOnce(options, request).catch((error: unknown) => {
    // The partner closed an idle connection while the request was sent: it has not seen the request.
    if (!(error instanceof StaleConnection)) throw error;
    return sendOnce({ ...options, agent: false }, request);
  });
}

/** `body` is what was read of it. */
type ReadResponse = { status: number; headers: IncomingMessage['headers']; body: Buffer };

class StaleConnection extends Error {}

/** The step of an exchange; a failure there is an error of this class. */
type Phase = 'connect' | 'tls' | 'response';

type Attempt = RequestOptions & { signal: AbortSignal };

function sendOnce(options: Attempt, { headers, body }: SignedRequest) {
  return new Promise<ReadResponse>((resolve, reject) => {
    const secure = options.protocol === 'https:';
    let phase: Phase = 'response';
    let hasResponse = false;
    const sent = (secure ? httpsRequest : httpRequest)({
      ...options,
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    let interimResponses = 0;
    sent.on('information', () => {
      interimResponses += 1;
      if (interimResponses > maxInterimResponses) sent.destroy(new AttemptFailed('response'));
    });
    sent.once('socket', (socket) => {
      // A reused connection has these steps behind it, and must not collect listeners.
      if (!socket.connecting) return;
      phase = 'connect';
      socket.once('connect', () => {
        phase = secure ? 'tls' : 'response';
      });
      socket.once('secureConnect', () => {
        phase = 'response';
      });
    });
    sent.once('response', (response) => {
      hasResponse = true;
      const { statusCode: status = 0, headers: received } = response;
      readSome(response, (read) => resolve({ status, headers: received, body: read }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (hasResponse) return;
      if (options.signal.aborted) return reject(new AttemptFailed('timeout', error));
      if (sent.reusedSocket && staleCodes.has(error.code ?? '')) return reject(new StaleConnection());
      reject(classifyFailure(error, phase));
    });
    // A response that switches protocols ends the request without a response event or an error.
    sent.once('close', () => {
      if (!hasResponse) reject(new AttemptFailed('response'));
    });
    // A string is written together with the headers, in one write.
    sent.end(body);
  });
}

/** Reads a short body to its end, so that the connection can be reused, and closes the connection on a longer one. */
function readSome(response: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), readAtMostMs);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > readAtMostBytes) response.destroy();
  });
  // The status is known: how the body ends does not matter.
  response.once('error', () => {});
  response.once('close', () => {
    clearTimeout(timer);
    done(Buffer.concat(chunks));
  });
}

const staleCodes = new Set(['ECONNRESET', 'EPIPE']);
const localCodes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

function classifyFailure(error: NodeJS.ErrnoException, phase: Phase): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  // If it tried several addresses, Node reports an error for each.
  const causes = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error];
  const local = causes.every(({ code = '' }) => localCodes.has(code));
  return new AttemptFailed(local ? 'local' : phase, error);
}
