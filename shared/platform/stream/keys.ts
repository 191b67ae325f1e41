import type { Key } from '../table/keys.ts';

const heartbeatPrefix = 'HEARTBEAT#';

export function heartbeatKey(minute: number): Key {
  return { pk: `${heartbeatPrefix}${minute}`, sk: '-' };
}

export function isHeartbeat(pk: string): boolean {
  return pk.startsWith(heartbeatPrefix);
}
