import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

// For another version, check local/engines/dynoxide-repairs.ts or fauxqs-repairs.ts first.
test('the engines have the versions that their repairs were made for', () => {
  expect(devDependencies.fauxqs).toBe('2.4.1');
  const engines = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));
  expect(engines).toHaveLength(4);
  for (const [name, version] of engines) expect(version, name).toBe('1.2.1');
});
