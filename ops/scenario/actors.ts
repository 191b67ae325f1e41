import type { Caller } from './client.ts';
import type { Reporter } from './reporter.ts';

type CallbackBasic = { login: string; password: string };

/** The callers of the scenario, and its reporter. */
export type Actors = {
  report: Reporter;
  /** How to wait for what happens after a response, such as the end of a session. */
  polling: { timeoutSeconds: number; intervalMs: number };
  partner: Caller;
  /** Absent if the wallet is simulated and only the partner's key is used. */
  wallet?: Caller;
  /** Another partner, which tries to redeem a check-in that is not its own. */
  other?: Caller;
  /** Where the partner's callbacks arrive; without it none are expected. */
  receiver?: Caller;
  /** What callbacks to the partner's endpoint carry as HTTP Basic, if that is known. */
  callbackBasic?: CallbackBasic | undefined;
  /** The wallet platform is simulated: the partner may have phones and a receiver of its own. */
  sandbox?: boolean;
};

type Partner = Required<Pick<Caller, 'login' | 'secret' | 'offerId'>>;
type Receiver = { url: string; basic?: CallbackBasic };
type LocalService = Partner & { baseUrl: string; other: Partner; partner?: Receiver };

/** The callers of a service on this machine. It has a receiver of callbacks if it runs simulators. */
export function callersOf({ baseUrl, login, secret, offerId, other, partner: receiver }: LocalService) {
  return {
    partner: { baseUrl, login, secret, offerId },
    wallet: { baseUrl },
    other: { baseUrl, login: other.login, secret: other.secret, offerId: other.offerId },
    ...(receiver ? { receiver: { baseUrl: receiver.url }, callbackBasic: receiver.basic } : {}),
  };
}

export type WithReceiver = Actors & { receiver: Caller };
