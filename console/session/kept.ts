import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from './session.tsx';

/** State that outlives its page and is gone with the session. Components that give the same name share it. */
export function useKept<Value extends {}>(name: string, initial: Value) {
  const { memory } = useSession();
  const read = useCallback(() => (memory.get(name) as Value | undefined) ?? initial, [memory, name, initial]);
  const set = useCallback(
    (change: (before: Value) => Value) => memory.set(name, change(read())),
    [memory, name, read],
  );
  return [useSyncExternalStore(memory.subscribe, read), set] as const;
}
