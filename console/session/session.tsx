import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, createContext, type ReactNode, use, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { type Call, type Credentials, callAs } from '../api/call.ts';
import type { Answer } from '../api/operations.ts';
import { Memory } from './memory.ts';
import { type Rate, rateIn, useRate } from './rate.ts';

export type OwnKey = Answer<'GET /keys/self'>;

interface Session {
  readonly key: OwnKey;
  /** Whether the key is a full one or has one of the roles. */
  may(...roles: OwnKey['role'][]): boolean;
  /** The offer that requests are about; undefined for a key without any. */
  readonly offerId: string | undefined;
  readonly rate: Rate | undefined;
  readonly call: Call;
  readonly memory: Memory;
  chooseOffer(offerId: string): void;
  signOut(): void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

/** `ended` says why the last session ended. */
export type SignInProps = { start: (as: Credentials) => Promise<void>; ended: string | undefined };

type Props = { SignIn: ComponentType<SignInProps>; children: ReactNode };

type SignedIn = { credentials: Credentials; key: OwnKey; offerId: string | undefined; memory: Memory };

/** Keeps the key in memory only: it is gone with the page, and with `signOut`. */
export function SessionProvider({ SignIn, children }: Props) {
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [ended, setEnded] = useState<string>();
  const [rate, setRate] = useRate();
  const queries = useQueryClient();

  function end(why?: string) {
    setSignedIn(undefined);
    setRate(undefined);
    setEnded(why);
    queries.clear();
  }

  function sessionOf({ credentials, ...known }: SignedIn): Session {
    const { key, offerId } = known;
    const onHeaders = (headers: Headers) => setRate((before) => rateIn(headers) ?? before);
    const call = callAs({ credentials, offerId, onHeaders });
    return {
      ...known,
      rate,
      may: (...roles) => ['full', ...roles].includes(key.role),
      call: (...request) =>
        call(...request).catch((error) => {
          // A key that is deleted or rotated elsewhere ends the session.
          if (error instanceof ApiError && error.isKeyRefused)
            end('This key is no longer accepted: sign in with another one.');
          throw error;
        }),
      chooseOffer: (chosen) => setSignedIn({ credentials, ...known, offerId: chosen }),
      signOut: () => end(),
    };
  }

  const start = async (credentials: Credentials) => {
    const key = await callAs({ credentials })('GET /keys/self', {});
    setSignedIn({ credentials, key, offerId: key.offerIds[0], memory: new Memory() });
    setEnded(undefined);
  };
  if (!signedIn) return <SignIn start={start} ended={ended} />;
  return <SessionContext value={sessionOf(signedIn)}>{children}</SessionContext>;
}
