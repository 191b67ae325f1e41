import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const guardedClient = 'shared/platform/egress/guarded-client.ts';

const sources = globSync(['functions/**/*.ts', 'shared/**/*.ts'], { cwd: root }).map((file) => ({
  file,
  code: readFileSync(join(root, file), 'utf8'),
}));

/** Returns every module that a file names: `from`, `import`, `import()`, `require()`, `getBuiltinModule()`. */
function modulesIn(code: string): string[] {
  return [
    ...code.matchAll(/(?:\bfrom|\bimport|\brequire|getBuiltinModule)\s*\(?\s*['"`]([^'"`]+)['"`]/g),
  ].map(([, name = '']) => name.replace(/^node:/, ''));
}

/** Modules of Node that open sockets, query DNS, or start something that could. */
const waysOut =
  /^(?:https?|http2|net|tls|dgram|dns|dns\/promises|inspector|child_process|cluster|worker_threads|vm|undici)$/;
const globalsThatCall =
  /(?<![.\w])(?:fetch|WebSocket|EventSource|XMLHttpRequest)\b|globalThis|\bprocess\.binding\b/;

function withoutComments(code: string) {
  return code.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
}

test('the sources were read, and the patterns see what they are to see', () => {
  expect(sources.length).toBeGreaterThan(100);
  const named = [
    "import 'node:net'",
    "await import('undici')",
    'require("tls")',
    "import { a } from 'dns/promises'",
  ];
  expect(named.flatMap(modulesIn).every((name) => waysOut.test(name))).toBe(true);
  const calls = ['await fetch(url)', 'new WebSocket(url)', 'globalThis["fe" + "tch"]'];
  expect(calls.every((code) => globalsThatCall.test(code))).toBe(true);
});

test('only the guarded client and its lookup name a module that reaches the network; others ask net for its address rules', () => {
  const found = sources.flatMap(({ file, code }) =>
    modulesIn(code)
      .filter((name) => waysOut.test(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(found.sort()).toEqual([
    // The file uses only isIP of this module, as the next test checks.
    'shared/platform/egress/address-rules.ts: net',
    `${guardedClient}: http`,
    `${guardedClient}: https`,
    'shared/platform/egress/guarded-lookup.ts: dns/promises',
    'shared/platform/egress/guarded-lookup.ts: net',
    'shared/platform/egress/public-address.ts: net',
  ]);
});

test('of net come address rules and types, and nothing that connects', () => {
  const imports = sources.flatMap(({ code }) => code.match(/import .* from 'node:net'/g) ?? []);
  expect(imports.sort()).toEqual([
    "import type { LookupFunction } from 'node:net'",
    "import { BlockList, isIPv4 } from 'node:net'",
    "import { isIP } from 'node:net'",
  ]);
});

test('nothing calls out by a global, and no module is named by anything but a plain text', () => {
  const found = sources.filter(({ code }) => {
    const bare = withoutComments(code);
    return globalsThatCall.test(bare) || /\b(?:import|require|getBuiltinModule)\s*\((?!\s*['"])/.test(bare);
  });
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('of packages, only the SDK reaches the network: the list of those imported is this one', () => {
  const packages = sources
    .flatMap(({ code }) => modulesIn(code))
    .filter(
      (name) => /^@?[a-z][a-z\d.-]*(?:\/|$)/.test(name) && !isBuiltin(name) && !name.startsWith('@aws-sdk/'),
    );
  expect([...new Set(packages)].sort()).toEqual([
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
    '@middy/core',
    '@smithy/core/retry',
    'aws-lambda',
    'htmlparser2',
    'standardwebhooks',
    'zod/mini',
  ]);
});

test('the guarded client is in four bundles, of DeliverCallback, TestCallback, TestAlerts and ExamineEndpoint, and so are DNS and the agents', () => {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist/metafile.json'), 'utf8')) as Metafile;
  const bundles = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint);
  const entriesWith = (holds: (output: Metafile['outputs'][string]) => boolean) =>
    bundles
      .filter(([, output]) => holds(output))
      .map(([, { entryPoint }]) => entryPoint)
      .sort();
  const deliver = [
    'handler:functions/alerts/test-alerts.ts',
    'handler:functions/callbacks/deliver-callback.ts',
    'handler:functions/callbacks/examine-endpoint.ts',
    'handler:functions/callbacks/test-callback.ts',
  ];
  expect(bundles.length).toBeGreaterThan(20);
  expect(entriesWith(({ inputs }) => guardedClient in inputs)).toEqual(deliver);
  expect(entriesWith(({ inputs }) => Object.keys(inputs).some((path) => /^built-in:dns/.test(path)))).toEqual(
    deliver,
  );
  // Operations that change the settings share one module, which contains the rules for addresses.
  const changes = ['disable-endpoint', 'enable-endpoint', 'put-endpoint', 'retire-endpoint-secret'];
  const settings = [...changes, 'rotate-endpoint-secret'].map(
    (name) => `handler:functions/callbacks/${name}.ts`,
  );
  const withRules = ['handler:functions/alerts/put-alerts.ts', ...settings, ...deliver].sort();
  expect(entriesWith(({ inputs }) => 'built-in:net' in inputs)).toEqual(withRules);
});
