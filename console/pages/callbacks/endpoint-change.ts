import type { Input, ResponseTo } from '../../api/operations.ts';
import { required } from '../../parts/required.ts';

export type EndpointFields = ReturnType<typeof fieldsOf>;

type Set = Pick<
  ResponseTo<'GET /callbacks/endpoint'>,
  'url' | 'basicLogin' | 'timeoutSeconds' | 'log' | 'maxPerSecond' | 'states'
>;

export function fieldsOf(endpoint: Set | undefined) {
  const { url = '', basicLogin, timeoutSeconds, log, maxPerSecond, states } = endpoint ?? {};
  return {
    url,
    sendsBasic: basicLogin !== undefined,
    login: basicLogin ?? '',
    password: '',
    timeoutSeconds: timeoutSeconds ?? ('' as const),
    log: log ?? ('' as const),
    maxPerSecond: maxPerSecond ?? ('' as const),
    states: [...(states ?? [])],
  };
}

/** The stored password belongs to the stored login, and stays if neither is typed again. */
function keepsPassword({ sendsBasic, password, login }: EndpointFields, endpoint: Set | undefined): boolean {
  return sendsBasic && password === '' && login !== '' && login === endpoint?.basicLogin;
}

/** Checks the form before anything is sent, and returns a sentence for each field that is wrong. */
export function problemsOf(fields: EndpointFields, endpoint: Set | undefined) {
  const { url, sendsBasic, login, password } = fields;
  const needsBasic = sendsBasic && !keepsPassword(fields, endpoint);
  return required({ url, ...(needsBasic && { login, password }) });
}

/** The body that changes the endpoint. The service keeps every member that it leaves out. */
export function endpointChange(
  fields: EndpointFields,
  endpoint: Set | undefined,
): NonNullable<Input<'PUT /callbacks/endpoint'>['body']> {
  const { url, sendsBasic, login, password, timeoutSeconds, log, maxPerSecond, states } = fields;
  const endsBasic = !sendsBasic && endpoint?.basicLogin !== undefined;
  return {
    url: url.trim(),
    ...(sendsBasic && !keepsPassword(fields, endpoint) ? { basic: { login, password } } : {}),
    ...(endsBasic ? { basic: null } : {}),
    ...(timeoutSeconds === '' ? {} : { timeoutSeconds: Number(timeoutSeconds) }),
    ...(log === '' ? {} : { log }),
    ...(maxPerSecond === '' ? {} : { maxPerSecond: Number(maxPerSecond) }),
    ...(maxPerSecond === '' && endpoint?.maxPerSecond !== undefined ? { maxPerSecond: null } : {}),
    ...(states.length > 0 ? { states } : {}),
    ...(states.length === 0 && endpoint?.states !== undefined ? { states: null } : {}),
  };
}
