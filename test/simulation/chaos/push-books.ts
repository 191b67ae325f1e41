import { kindOf, type RowKindName } from '../../../shared/table/row-kinds.ts';
import type { Asking, Tally } from './ask.ts';
import { type Book, together } from './book.ts';
import { callbackBook } from './callback-book.ts';
import type { Cast } from './cast.ts';
import type { Connection } from './connection.ts';
import { pushBook } from './push-book.ts';
import type { PushRequest } from './push-flow.ts';
import { historyBook, receiptBook, recordedStates } from './receipt-book.ts';
import type { RecordingWallet } from './recording-wallet.ts';

interface PushParts {
  readonly scene: {
    readonly connection: Connection;
    readonly cast: Cast;
    readonly wallet: RecordingWallet;
    readonly tally: Tally;
  };
  readonly pushes: readonly PushRequest[];
  readonly badReceipts: number;
}

/** Pushes, receipts, histories and callbacks, from one look at the table. */
export async function readPushBooks({ scene, pushes, badReceipts }: PushParts): Promise<Book> {
  const { connection, cast, wallet, tally } = scene;
  const rows = await connection.rowsOf('states of a message', 'callback', 'parked message');
  const of = (name: RowKindName) => rows.filter((row) => kindOf(row).kind.name === name);
  const states = of('states of a message');
  const askingOf = (partnerId: string): Asking => {
    const { login = '', secret = '' } =
      cast.partners.find((partner) => partner.partnerId === partnerId) ?? {};
    return { speaker: { baseUrl: connection.baseUrl, login, secret }, tally, persistent: true };
  };
  return together(
    pushBook(pushes, wallet.record),
    receiptBook({ states, parked: of('parked message'), wallet: wallet.record, badReceipts }),
    await historyBook(askingOf, pushes, recordedStates(states)),
    callbackBook({ partners: cast.partners, states, kept: of('callback') }),
  );
}
