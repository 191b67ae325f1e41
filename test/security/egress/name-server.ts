import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

const types: Record<number, string> = { 1: 'A', 28: 'AAAA' };
const headerBytes = 12;
const ok = 0x8180;
const noSuchName = 0x8183;

/** The records of names, in bytes. */
export type Zone = Record<string, { A?: number[][]; AAAA?: number[][] }>;

/** Starts a DNS server until the end of the test. It records each query, as in `A partner.example`. */
export async function nameServer(zone: Zone) {
  const queries: string[] = [];
  const socket = createSocket('udp4', (query, { port }) => {
    const { name, end } = nameIn(query);
    const type = types[query.readUInt16BE(end)] ?? '?';
    queries.push(`${type} ${name}`);
    const records = zone[name]?.[type as 'A' | 'AAAA'] ?? [];
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    const counts = [zone[name] ? ok : noSuchName, 1, records.length];
    for (const [n, value] of counts.entries()) header.writeUInt16BE(value, 2 + 2 * n);
    const question = query.subarray(headerBytes, end + 4);
    // The name is that of the question; class IN, 60 s.
    const about = [0xc0, headerBytes, ...query.subarray(end, end + 2), ...[0, 1], ...[0, 0, 0, 60], 0];
    const answers = records.map((record) => Buffer.from([...about, record.length, ...record]));
    socket.send(Buffer.concat([header, question, ...answers]), port, '127.0.0.1');
  });
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready));
  onTestFinished(() => {
    socket.close();
  });
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, queries };
}

/** The name that a query asks for, in lower case, and where its type begins. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
