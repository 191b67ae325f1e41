import type { Ids } from '../../shared/platform/runtime/ids.ts';

/** Returns ids that a test can predict: uuid-1, uuid-2 and so on, and tokens of one repeated letter. */
export function fakeIds(): Ids {
  let count = 0;
  const uuid = () => {
    count += 1;
    return `uuid-${count}`;
  };
  return {
    uuid,
    uuidAt: uuid,
    token: (byteCount) => 'k'.repeat(byteCount),
  };
}
