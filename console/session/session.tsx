import { useQueryClient } from '@tanstack/react-query';
import {
  Activity,
  type ComponentType,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '../api/api-error.ts';
import { type Call, type Credentials, callAs } from '../api/call.ts';
import type { ResponseTo } from '../api/operations.ts';
import { Memory } from './memory.ts';
import { currentRate, type Rate } from './rate.ts';

export type OwnKey = ResponseTo<'GET /keys/self'>;

type Session = {
  key: OwnKey;
  /** Whether the key is a full one or has one of the roles. */
  may(...roles: OwnKey['role'][]): boolean;
  /** The offer that requests are about; undefined for a key without any. */
  offerId: string | undefined;
  rate: Rate | undefined;
  call: Call;
  memory: Memory;
  /** Goes on with the new secret of the own key. */
  changeSecret(secret: string): void;
  chooseOffer(offerId: string): void;
  signOut(): void;
};

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No user is signed in.');
  return session;
}

/** State that outlives its page and ends with the session. Components that use the same name share it. */
export function useSessionState<Value extends {}>(name: string, initial: Value) {
  const { memory } = useSession();
  const read = () => (memory.get(name) as Value | undefined) ?? initial;
  const set = (change: (before: Value) => Value) => memory.set(name, change(read()));
  return [useSyncExternalStore(memory.subscribe, read), set] as const;
}

/** `refusedLogin` is set if the key was refused while its user was signed in. Its pages are then hidden, not lost. */
export type SignInProps = { start: (as: Credentials) => Promise<void>; refusedLogin: string | undefined };

type Props = { SignIn: ComponentType<SignInProps>; children: ReactNode };

type SignedIn = {
  credentials: Credentials;
  key: OwnKey;
  offerId: string | undefined;
  rate: Rate | undefined;
  memory: Memory;
  isRefused: boolean;
};

/**
 * Keeps the key in memory only: closing the page or `signOut` drops it. If the service refuses the key, the pages are
 * hidden with all that was typed, and are shown again when a user of the same partner signs in.
 */
export function SessionProvider({ SignIn, children }: Props) {
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const queries = useQueryClient();
  const rate = signedIn?.rate;
  useEffect(() => {
    if (!rate) return;
    const forget = () => setSignedIn((now) => now && { ...now, rate: undefined });
    const timer = setTimeout(forget, rate.resetsAtMs - Date.now());
    return () => clearTimeout(timer);
  }, [rate]);

  function signOut() {
    // The pages go first: one that is still shown would keep what is forgotten.
    flushSync(() => setSignedIn(undefined));
    queries.clear();
  }

  function change(credentials: Credentials, changed: Partial<SignedIn>) {
    // A late response to an earlier key must not change the session of the present key, or begin one after its end.
    setSignedIn((now) => (now?.credentials === credentials ? { ...now, ...changed } : now));
  }

  function sessionOf({ credentials, ...known }: SignedIn): Session {
    const { key, offerId } = known;
    const onHeaders = (headers: Headers) => {
      const rate = currentRate(headers);
      if (rate) change(credentials, { rate });
    };
    const call = callAs({ credentials, offerId, onHeaders });
    return {
      ...known,
      may: (...roles) => ['full', ...roles].includes(key.role),
      call: (...request) =>
        call(...request).catch((error) => {
          if (!(error instanceof ApiError && error.isKeyRefused)) throw error;
          change(credentials, { isRefused: true });
          // The user who reads this has signed in again since.
          const sentence = 'The key that you were signed in with was no longer accepted. Try again.';
          throw new ApiError(error.status, error.code, [sentence]);
        }),
      changeSecret: (secret) => change(credentials, { credentials: { ...credentials, secret } }),
      chooseOffer: (chosen) => change(credentials, { offerId: chosen }),
      signOut,
    };
  }

  const start = async (credentials: Credentials) => {
    const key = await callAs({ credentials })('GET /keys/self', {});
    const isSame = key.login === signedIn?.key.login;
    const before = signedIn?.key.partnerId === key.partnerId ? signedIn : undefined;
    // Another key may have a role that reads less, but goes on with what its partner was about to send.
    if (!before) queries.clear();
    else if (!isSame) queries.getQueryCache().clear();
    setSignedIn({
      credentials,
      key,
      offerId: key.offerIds.find((offerId) => offerId === before?.offerId) ?? key.offerIds[0],
      rate: isSame ? signedIn.rate : undefined,
      memory: before?.memory ?? new Memory(),
      isRefused: false,
    });
  };
  return (
    <>
      {signedIn && (
        <Activity key={signedIn.key.partnerId} mode={signedIn.isRefused ? 'hidden' : 'visible'}>
          <SessionContext value={sessionOf(signedIn)}>{children}</SessionContext>
        </Activity>
      )}
      {signedIn?.isRefused !== false && <SignIn start={start} refusedLogin={signedIn?.key.login} />}
    </>
  );
}
