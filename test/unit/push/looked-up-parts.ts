import { gzipSync } from 'node:zlib';
import { bulkMessageId } from '../../../shared/push/message-id.ts';
import { messageReader } from '../../../shared/push/message-reader.ts';
import { multiPerPart } from '../../../shared/push/message-rows.ts';
import { packRecipients } from '../../../shared/push/packed-recipients.ts';

/** Prints how many messages are found of as many bulk sends, each with 80 contents that are small as text and large parsed. */
const sends = 130;
const positions = Array.from({ length: multiPerPart }, (_, n) => n);
const payload = { title: 'a', message: 'b', x: Array.from({ length: 1_300 }, () => ({})) };
const content = { pushType: 'TRANSACTION', payload };
const contents = new Uint8Array(gzipSync(JSON.stringify(positions.map(() => content))));
const recipients = packRecipients(positions.map((n) => ({ msisdn: 79_000_000_000 + n, registered: true })));

function rowOf({ pk, sk }: { pk: string; sk: string }) {
  const head = { bulkId: pk.slice('BULK#'.length), partnerId: 'bars', acceptedAt: Date.now(), summary: '{}' };
  return { pk, sk, ...(sk === 'PAYLOAD' ? { ...head, count: multiPerPart } : { recipients, contents }) };
}
const client = {
  send: async ({ input }: { input: { RequestItems: { t: { Keys: { pk: string; sk: string }[] } } } }) => ({
    Responses: { t: input.RequestItems.t.Keys.map(rowOf) },
  }),
};

const ids = Array.from({ length: sends }, (_, n) =>
  bulkMessageId(`4342aec1-a996-8e8d-9a16-${String(n).padStart(8, '0')}`, 0),
);
const found = await messageReader({ client: client as never, name: 't' }).findMany(ids, Date.now());
console.log(found.size);
