import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Names and addresses that are this machine's everywhere. A page of another site can make any other name lead here. */
const loopbackHost = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const ofAnotherSite =
  'Forbidden: a page of another site sent this request; open the console of this service, or use a client that is no browser';

/**
 * Why the local gateway refuses a request, or `undefined` if it does not. Its routes of the wallet platform check no
 * signature, so a page of another site must not reach them through the developer's browser. A browser says truly which
 * host it calls and for which site, and other clients reach the gateway only from this machine.
 */
export function foreignRequest({ method, headers }: IncomingMessage): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (host !== undefined && !loopbackHost.test(host))
    return `Forbidden: ${host} is not a name of this machine, call 127.0.0.1 or localhost`;
  if (origin !== undefined && origin !== `http://${host}`) return ofAnotherSite;
  const isForeign = site === 'cross-site' || site === 'same-site';
  return isForeign && !isFollowedLink(method, headers) ? ofAnotherSite : undefined;
}

/** A link on another site that a person follows shows its response to that person alone. */
function isFollowedLink(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
