import { useState } from 'react';
import { useSession } from './session.tsx';

/** A dialog that is open for the key that opened it. Another one that signs in must not see what was typed in it. */
export function useOwnDialog() {
  const { login } = useSession().key;
  const [openFor, setOpenFor] = useState<string>();
  return [openFor === login, { open: () => setOpenFor(login), close: () => setOpenFor(undefined) }] as const;
}
