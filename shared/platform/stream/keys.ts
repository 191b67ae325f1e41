import { alone, type Key } from '../table/keys.ts';

const heartbeatPrefix = 'HEARTBEAT#';

export function heartbeatKey(minute: number): Key {
  return alone(`${heartbeatPrefix}${minute}`);
}

export function isHeartbeat(pk: string): boolean {
  return pk.startsWith(heartbeatPrefix);
}
