import { expect, it } from 'vitest';
import { overBudget, sizesOf } from '../../build/bundle-sizes.ts';

function input(bytesInOutput: number) {
  return { bytesInOutput };
}

function output(bytes: number, inputs: Record<string, { bytesInOutput: number }>) {
  return {
    bytes,
    inputs,
    imports: [],
    exports: ['handler'],
  };
}

const metafile = {
  inputs: {},
  outputs: {
    'dist/functions/places/get-sync/index.mjs': output(460_000, {
      'functions/places/get-sync.ts': input(460_000),
    }),
    'dist/functions/places/get-sync/index.mjs.map': output(900_000, {}),
    'dist/functions/places/start-sync/index.mjs': output(460_001, {
      'functions/places/start-sync.ts': input(20_000),
      'node_modules/zod/v4/core/parse.js': input(250_000),
      'node_modules/zod/v4/core/schemas.js': input(150_001),
      'node_modules/@aws-sdk/core/node_modules/@smithy/core/dist-es/index.js': input(40_000),
    }),
  },
};

it('a bundle may be as big as the budget and not a byte bigger; source maps do not count', () => {
  expect(overBudget(sizesOf(metafile), 460_000).map(({ file }) => file)).toEqual([
    'dist/functions/places/start-sync/index.mjs',
  ]);
});

it('the biggest inputs are listed by package, with the files of a package added up', () => {
  expect(sizesOf(metafile)[0]?.biggestInputs).toEqual([
    { path: 'zod', bytes: 400_001 },
    { path: '@smithy/core', bytes: 40_000 },
    { path: 'functions/places/start-sync.ts', bytes: 20_000 },
  ]);
});
