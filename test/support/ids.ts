import type { Ids } from '../../shared/platform/runtime/ids.ts';

/** Ids that a test can foresee: uuid-1, uuid-2 ... and tokens of one letter. */
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
