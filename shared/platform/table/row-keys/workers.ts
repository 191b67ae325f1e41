import { alone, type RowKey } from './row-key.ts';

export function parkedPartition(queue: string): string {
  return `PARKED#${queue}`;
}

export function parkedKey(queue: string, messageId: string): RowKey {
  return { pk: parkedPartition(queue), sk: messageId };
}

const heartbeatPrefix = 'HEARTBEAT#';

export function heartbeatKey(minute: number): RowKey {
  return alone(`${heartbeatPrefix}${minute}`);
}

export function isHeartbeat(pk: string): boolean {
  return pk.startsWith(heartbeatPrefix);
}
