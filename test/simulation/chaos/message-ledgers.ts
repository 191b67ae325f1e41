import { kindOf, type RowKindName } from '../../../shared/table/row-kinds.ts';
import type { Actors } from './actors.ts';
import type { ApiCaller, Tally } from './api-call.ts';
import { callbackLedger } from './callback-ledger.ts';
import type { Connection } from './connection.ts';
import { type Ledger, merge } from './ledger.ts';
import type { PushRequest } from './push-flow.ts';
import { pushLedger } from './push-ledger.ts';
import { historyLedger, receiptLedger, recordedStates } from './receipt-ledger.ts';
import type { RecordingWallet } from './recording-wallet.ts';

interface PushParts {
  readonly scene: {
    readonly connection: Connection;
    readonly actors: Actors;
    readonly wallet: RecordingWallet;
    readonly tally: Tally;
  };
  readonly pushes: readonly PushRequest[];
  readonly badReceipts: number;
}

/** Pushes, receipts, histories and callbacks, from one look at the table. */
export async function readMessageLedgers({ scene, pushes, badReceipts }: PushParts): Promise<Ledger> {
  const { connection, actors, wallet, tally } = scene;
  const rows = await connection.rowsOf('states of a message', 'callback', 'parked message');
  const of = (name: RowKindName) => rows.filter((row) => kindOf(row).kind.name === name);
  const states = of('states of a message');
  const callerFor = (partnerId: string): ApiCaller => {
    const { login = '', secret = '' } =
      actors.partners.find((partner) => partner.partnerId === partnerId) ?? {};
    return { speaker: { baseUrl: connection.baseUrl, login, secret }, tally, persistent: true };
  };
  return merge(
    pushLedger(pushes, wallet.record),
    receiptLedger({ states, parked: of('parked message'), wallet: wallet.record, badReceipts }),
    await historyLedger(callerFor, pushes, recordedStates(states)),
    callbackLedger({ partners: actors.partners, states, kept: of('callback') }),
  );
}
