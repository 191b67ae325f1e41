import type { Input, ResponseTo } from '../../api/operations.ts';
import { changeOf, required } from '../../parts/fields.ts';
import { callbackStates } from './states.ts';

export type EndpointFields = ReturnType<typeof fieldsOf>;
type Body = NonNullable<Input<'PUT /callbacks/endpoint'>['body']>;

type Set = Pick<
  ResponseTo<'GET /callbacks/endpoint'>,
  'mode' | 'url' | 'basicLogin' | 'timeoutSeconds' | 'log' | 'maxPerSecond' | 'states'
>;

export function fieldsOf(endpoint: Set | undefined) {
  const { mode = 'post', url = '', basicLogin, states } = endpoint ?? {};
  const { timeoutSeconds = '', log = '', maxPerSecond = '' } = endpoint ?? {};
  return {
    mode,
    url,
    sendsBasic: basicLogin !== undefined,
    basic: { login: basicLogin ?? '', password: '' },
    timeoutSeconds: String(timeoutSeconds),
    log: log as Set['log'] | '',
    maxPerSecond: String(maxPerSecond),
    states: [...(states ?? callbackStates)],
  };
}

/** Whether the typed address is on another server than the stored one, which must not learn the stored password. */
function isOtherServer({ url }: EndpointFields, endpoint: Set | undefined): boolean {
  // What is no address at all is left to the service to refuse.
  if (!endpoint || !/^https?:/i.test(url.trim()) || !URL.canParse(url)) return false;
  return endpoint.url === undefined || new URL(url).origin !== new URL(endpoint.url).origin;
}

/** What to do with the field of the password. */
export function passwordHint(fields: EndpointFields, endpoint: Set | undefined): string | undefined {
  if (endpoint?.basicLogin === undefined) return undefined;
  return isOtherServer(fields, endpoint)
    ? 'The address is on another server, which must not get the stored password: type it again, or send none.'
    : 'Leave it empty to keep the stored password.';
}

/** The stored password belongs to the stored login on its server, and stays if neither is typed again. */
function keepsPassword(fields: EndpointFields, endpoint: Set | undefined): boolean {
  const { password, login } = fields.basic;
  const isSameLogin = login !== '' && login === endpoint?.basicLogin;
  return password === '' && isSameLogin && !isOtherServer(fields, endpoint);
}

/** Checks the form before anything is sent, and returns a sentence for each field that is wrong. */
export function problemsOf(fields: EndpointFields, endpoint: Set | undefined): Record<string, string> {
  const { mode, url, sendsBasic, basic, timeoutSeconds, states } = fields;
  const isPosted = mode === 'post';
  const needsBasic = isPosted && sendsBasic && !keepsPassword(fields, endpoint);
  return {
    ...required({
      ...(isPosted && { url }),
      ...(needsBasic && { 'basic.login': basic.login, 'basic.password': basic.password }),
      ...(isPosted && endpoint && { timeoutSeconds }),
    }),
    ...(states.length === 0 && { states: 'Choose at least one' }),
  };
}

/** A text that is no number, or none that people write, such as `0x10`, stays as it is, so that the service refuses it. */
function numberIn(typed: string): number {
  return /^[-+]?\d{1,15}(\.\d+)?$/.test(typed.trim()) ? Number(typed) : (typed as unknown as number);
}

function bodyOf(fields: EndpointFields, endpoint: Set | undefined): Body {
  const { mode, url, sendsBasic, basic: typed, timeoutSeconds, log, maxPerSecond, states } = fields;
  const basic = keepsPassword(fields, endpoint) ? undefined : typed;
  const isAll = callbackStates.every((state) => states.includes(state));
  return {
    mode,
    url: url.trim(),
    basic: sendsBasic ? basic : null,
    ...(timeoutSeconds.trim() !== '' && { timeoutSeconds: numberIn(timeoutSeconds) }),
    ...(log !== '' && { log }),
    maxPerSecond: maxPerSecond.trim() === '' ? null : numberIn(maxPerSecond),
    states: isAll ? null : callbackStates.filter((state) => states.includes(state)),
  };
}

/**
 * Returns only what differs from the stored endpoint, and with the mode `feed` nothing of the fields that are hidden then.
 * The service keeps every member that the body leaves out.
 */
export function endpointChange(fields: EndpointFields, endpoint: Set | undefined): Body {
  const { mode, states } = fields;
  const stored = fieldsOf(endpoint);
  const sent = mode === 'feed' ? { ...stored, mode, states } : fields;
  return changeOf(bodyOf(stored, endpoint), bodyOf(sent, endpoint));
}
