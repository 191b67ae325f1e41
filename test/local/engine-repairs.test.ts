import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repairedDynoxide } from '../../local/engines/dynoxide-repairs.ts';
import { repairedFauxqs } from '../../local/engines/fauxqs-repairs.ts';

const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

test('the engines have the versions that their repairs were made for', () => {
  expect(devDependencies.fauxqs).toBe(repairedFauxqs);
  const engines = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));
  expect(engines).toHaveLength(4);
  for (const [name, version] of engines) expect(version, name).toBe(repairedDynoxide);
});
