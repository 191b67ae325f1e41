import type { Answer, Input } from '../../api/operations.ts';

export type EndpointFields = ReturnType<typeof fieldsOf>;

type Set = Pick<Answer<'GET /callbacks/endpoint'>, 'url' | 'basicLogin' | 'timeoutSeconds' | 'log'>;

export function fieldsOf(endpoint: Set | undefined) {
  const { url = '', basicLogin, timeoutSeconds, log } = endpoint ?? {};
  return {
    url,
    sendsBasic: basicLogin !== undefined,
    login: basicLogin ?? '',
    password: '',
    timeoutSeconds: timeoutSeconds ?? ('' as const),
    log: log ?? ('' as const),
  };
}

/** What is sent of the form: members that are left out stay, the password that is not typed again among them. */
export function endpointChange(
  { url, sendsBasic, login, password, timeoutSeconds, log }: EndpointFields,
  endpoint: Set | undefined,
): NonNullable<Input<'PUT /callbacks/endpoint'>['body']> {
  const keepsBasic = sendsBasic && password === '' && login === endpoint?.basicLogin;
  const endsBasic = !sendsBasic && endpoint?.basicLogin !== undefined;
  return {
    url: url.trim(),
    ...(sendsBasic && !keepsBasic ? { basic: { login, password } } : {}),
    ...(endsBasic ? { basic: null } : {}),
    ...(timeoutSeconds === '' ? {} : { timeoutSeconds: Number(timeoutSeconds) }),
    ...(log === '' ? {} : { log }),
  };
}
