import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { type Call, type Credentials, callAs } from '../api/call.ts';
import type { Answer } from '../api/operations.ts';
import { Memory } from './memory.ts';
import { type Rate, rateIn, useRate } from './rate.ts';

export type OwnKey = Answer<'GET /keys/self'>;

interface Session {
  readonly key: OwnKey;
  /** The offer that requests are about; undefined for a key without any. */
  readonly offerId: string | undefined;
  readonly rate: Rate | undefined;
  readonly call: Call;
  readonly memory: Memory;
  chooseOffer(offerId: string): void;
  signOut(): void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the key that is signed in. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

interface Props {
  /** Shown while nobody is signed in; `ended` says why the last session ended. */
  readonly signIn: (
    start: (credentials: Credentials) => Promise<void>,
    ended: string | undefined,
  ) => ReactNode;
  readonly children: ReactNode;
}

type SignedIn = { credentials: Credentials; key: OwnKey; offerId: string | undefined; memory: Memory };

/** Keeps the key in memory only: it is gone with the page, and with `signOut`. */
export function SessionProvider({ signIn, children }: Props) {
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [ended, setEnded] = useState<string>();
  const [rate, setRate] = useRate();
  const queries = useQueryClient();

  const end = useCallback(
    (why?: string) => {
      setSignedIn(undefined);
      setRate(undefined);
      setEnded(why);
      queries.clear();
    },
    [queries, setRate],
  );

  // A key that is deleted or rotated elsewhere ends the session.
  useEffect(() => {
    const check = (error: Error | null | undefined) => {
      if (error instanceof ApiError && error.isKeyRefused)
        end('This key is no longer accepted: sign in with another one.');
    };
    const unsubscribe = [
      queries.getQueryCache().subscribe(({ query }) => check(query.state.error)),
      queries.getMutationCache().subscribe(({ mutation }) => check(mutation?.state.error)),
    ];
    return () => {
      for (const stop of unsubscribe) stop();
    };
  }, [queries, end]);

  const session = useMemo<Session | undefined>(() => {
    if (!signedIn) return undefined;
    const { credentials, key, offerId, memory } = signedIn;
    const onHeaders = (headers: Headers) => {
      const latest = rateIn(headers);
      if (latest) setRate(latest);
    };
    return {
      key,
      offerId,
      rate,
      memory,
      call: callAs({ credentials, offerId, onHeaders }),
      chooseOffer: (chosen) => setSignedIn({ ...signedIn, offerId: chosen }),
      signOut: () => end(),
    };
  }, [signedIn, rate, setRate, end]);

  const start = async (credentials: Credentials) => {
    const key = await callAs({ credentials })('GET /keys/self', {});
    setSignedIn({ credentials, key, offerId: key.offerIds[0], memory: new Memory() });
    setEnded(undefined);
  };
  return session ? <SessionContext value={session}>{children}</SessionContext> : signIn(start, ended);
}
