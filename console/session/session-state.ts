import { useSyncExternalStore } from 'react';
import { useSession } from './session.tsx';

/** State that outlives its page and ends with the session. Components that use the same name share it. */
export function useSessionState<Value extends {}>(name: string, initial: Value) {
  const { memory } = useSession();
  const read = () => (memory.get(name) as Value | undefined) ?? initial;
  const set = (change: (before: Value) => Value) => memory.set(name, change(read()));
  return [useSyncExternalStore(memory.subscribe, read), set] as const;
}
