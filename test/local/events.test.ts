import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readServiceModel } from '../../local/template/service-model.ts';

test('there is exactly one sample for every function of the template, named after it', () => {
  const { functions } = readServiceModel(resolve('cdk.out'));
  const files = functions.map(({ logicalId }) => `${logicalId}.json`);
  expect(readdirSync('events').sort()).toEqual(files.sort());
});
