/** An error as the API describes it. Each sentence says what is wrong with the request. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** A code of the service, such as `PLACE_NOT_FOUND`, or the message of the gateway, such as `Forbidden`. */
  readonly code: string;
  readonly sentences: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  /** Whether the request was to change something. */
  isWrite = false;

  constructor(status: number, code: string, sentences: readonly string[], retryAfterSeconds?: number) {
    super(sentences.join(' '));
    this.status = status;
    this.code = code;
    this.sentences = sentences;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /**
   * True if the credentials are not accepted: they are unknown, or have ended. In the first minutes after its end the
   * gateway still lets a key in, and the service itself refuses what would change something.
   */
  get isKeyRefused(): boolean {
    const { status, code, sentences } = this;
    const isRefused = code === 'Forbidden' || (code === 'ROLE_FORBIDDEN' && sentences.includes(keyHasEnded));
    return status === 401 || (status === 403 && isRefused);
  }

  /** True if the service refuses the request for good. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }

  /** True if the request may have been done: a response on the way was lost, the service failed in it, or it still runs. */
  get mayBeDone(): boolean {
    const { isWrite, status, code } = this;
    const hasFailed = status >= 500 && !refusals.has(code);
    return isWrite && (status === 0 || hasFailed || code === 'REQUEST_IN_PROGRESS');
  }
}

/** The code alone says also that a role is not enough. */
const keyHasEnded = 'role: this key, or the secret that was used, has ended';

/** The contract has 503 for these, although they say that nothing was done. */
const refusals: ReadonlySet<string> = new Set([
  'BATCH_SIZE_EXCEEDED',
  'PLACE_FULL',
  'RATE_LIMIT_EXCEEDED',
  'REQUEST_LIMIT_EXCEEDED',
]);

/** The gateway itself gives no reason, so these sentences do. */
const gatewaySentences: Readonly<Record<number, string>> = {
  401: 'The service did not get a login and a secret.',
  403: 'This login and secret are not accepted. Check both, or ask the person who manages your keys for a new one.',
  404: 'This stage of the service does not have this operation.',
  413: 'The request is larger than the service accepts.',
  429: 'There were too many requests at once. Wait a moment and try again.',
  500: 'The service failed. Try again in a moment.',
  503: 'The service is overloaded or took too long. Try again in a moment.',
};

/** Reads an error of the service from its body, or from `x-error` if the body is empty; else the response is the gateway's. */
export async function errorOf(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const body = (await response.json().catch(() => ({}))) as {
    status?: string;
    errors?: string[];
    message?: string;
  };
  if (body.errors) return new ApiError(response.status, body.status ?? '', body.errors, retryAfterSeconds);
  const [code = '', ...sentences] = (response.headers.get('x-error') ?? '').split('; ');
  if (sentences.length > 0) return new ApiError(response.status, code, sentences, retryAfterSeconds);
  const sentence = gatewaySentences[response.status] ?? `The service responded ${response.status}.`;
  return new ApiError(response.status, code || (body.message ?? ''), [sentence], retryAfterSeconds);
}

/** Splits `url: must not carry credentials` into the field and what is wrong with it. A sentence may name no field. */
export function splitSentence(sentence: string): { field?: string | undefined; problem: string } {
  const [, field, problem = sentence] = /^([\w.]+)(?:\[\d+\])?\S*: (.+)$/.exec(sentence) ?? [];
  return { field, problem };
}

/** The words of the pages for members and values of the contract that a sentence about another field names. */
const wordsOfPages: Readonly<Record<string, string>> = {
  deliverDue: 'the deadline',
  startDate: 'the start',
  endDate: 'the end',
  null: 'empty',
};

/** The first sentence of an error about each field, as a form shows it: `{ url: 'Must not carry credentials' }`. */
export function fieldErrors(error: ApiError | null): Readonly<Record<string, string | undefined>> {
  const named: Record<string, string> = {};
  for (const { field, problem } of (error?.sentences ?? []).map(splitSentence)) {
    if (!field) continue;
    const inWords = problem.replace(/\w+/g, (word) => wordsOfPages[word] ?? word);
    named[field] ??= inWords.charAt(0).toUpperCase() + inWords.slice(1);
  }
  return named;
}
