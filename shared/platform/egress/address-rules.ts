import { isIP } from 'node:net';
import { type AddressPolicy, mayConnectTo } from './public-address.ts';

const maxCharacters = 2_048;

/**
 * Why an address may not be called, as far as the address itself tells, in a sentence; `undefined` when it may
 * (what its name resolves to is checked at every connection). URL has already turned the decimal, octal and hex
 * forms of an IPv4 address into the usual one.
 */
export function refusal(address: string, policy: AddressPolicy): string | undefined {
  if (address.length > maxCharacters) return `must have ${maxCharacters} characters at most`;
  const url = URL.parse(address);
  // Without a scheme, `localhost:8080/callbacks` is parsed as a URL of the scheme `localhost:`.
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'must be an absolute URL, beginning with https://';
  if (url.protocol === 'http:' && policy !== 'loopback-too')
    return 'must begin with https://, no callback is sent without encryption';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  // Checked before the port, since no other port would make it public.
  const literal = hostOf(url);
  const family = isIP(literal);
  if (family !== 0 && !mayConnectTo(literal, policy))
    return family === 4
      ? 'must be a public address'
      : 'must have a name or an IPv4 address, IPv6 is not reached';
  if (!portAllowed(url)) {
    return url.protocol === 'http:'
      ? 'must begin with https://; http://, which only a local run takes, needs a port from 1024 on'
      : 'must have port 443 or a port from 1024 on';
  }
  return undefined;
}

/** The host without the brackets of an IPv6 literal. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** URL removes the scheme's default port. */
function portAllowed({ port, protocol }: URL): boolean {
  return port === '' ? protocol === 'https:' : Number(port) >= 1_024 || port === '443';
}
