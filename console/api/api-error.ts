/** An error in the words of the API: each sentence says what is wrong with the request. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** `PLACE_NOT_FOUND`, or what the gateway says by itself: `Forbidden`. */
  readonly code: string;
  readonly sentences: readonly string[];
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, sentences: readonly string[], retryAfterSeconds?: number) {
    super(sentences.join(' '));
    this.status = status;
    this.code = code;
    this.sentences = sentences;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The gateway's own answer to credentials that are unknown or were ended. */
  get isKeyRefused(): boolean {
    return this.status === 401 || (this.status === 403 && this.code === 'Forbidden');
  }
}

/** The gateway's answers name no reason: these do. */
const ofGateway: Readonly<Record<number, string>> = {
  401: 'The service did not get a login and a secret.',
  403: 'This login and secret are not accepted: check both, or ask whoever manages your keys for a new one.',
  404: 'This stage of the service does not have this operation.',
  413: 'This is more than the service takes at once.',
  429: 'Too many requests at once: wait a moment and repeat.',
  500: 'The service could not answer: repeat in a moment.',
  503: 'The service is overloaded or took too long: repeat in a moment.',
};

/** Reads the one format of errors, the header of those with an empty body, or what the gateway says. */
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
  const sentence = ofGateway[response.status] ?? `The service answered ${response.status}.`;
  return new ApiError(response.status, code || (body.message ?? ''), [sentence], retryAfterSeconds);
}

/** The sentences of an error by the field that they name: of `url: must be https`, the second half under `url`. */
export function fieldErrors(error: ApiError | null): Readonly<Record<string, string | undefined>> {
  const named: Record<string, string> = {};
  for (const sentence of error?.sentences ?? []) {
    const [, field, rest] = /^([\w.]+)(?:\[\d+\])?\S*: (.+)$/.exec(sentence) ?? [];
    if (field && rest) named[field] ??= rest;
  }
  return named;
}
