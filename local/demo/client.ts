/** Who speaks to the service: a partner with its credentials and offer, or the wallet platform without. */
export type Speaker = { baseUrl: string; login?: string; secret?: string; offerId?: string };

export type Reply = { status: number; headers: Headers; body: unknown };

/** One request to the service. A body that is not JSON (an empty one) comes back as text. */
export const request = async (speaker: Speaker, route: string, body?: unknown): Promise<Reply> => {
  const [method = 'GET', path = '/'] = route.split(' ');
  const credentials = Buffer.from(`${speaker.login}:${speaker.secret}`).toString('base64');
  const response = await fetch(`${speaker.baseUrl}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(speaker.login ? { authorization: `Basic ${credentials}` } : {}),
      ...(speaker.offerId ? { offerId: speaker.offerId } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
};
