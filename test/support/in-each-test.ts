import { beforeEach } from 'vitest';

/** Makes a rig before each test of a file or group. The object that it returns is then that rig, to the next test. */
export function inEachTest<Rig extends object>(make: () => Rig | Promise<Rig>): Rig {
  const rig = {} as Rig;
  beforeEach(async () => {
    Object.assign(rig, await make());
  });
  return rig;
}
