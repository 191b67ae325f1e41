import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export type PublishedPackage = {
  name: string;
  version: string;
  os: readonly string[];
  cpu: readonly string[];
  bin?: Readonly<Record<string, string>>;
  /** The path of the package's only executable, which prints the package's name. */
  executable: string;
};

/** Packs the package as npm would, in a folder below `folder`. */
function tarballOf({ executable, ...manifest }: PublishedPackage, folder: string): Buffer {
  const program = join(folder, manifest.name, 'package', executable);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, `#!/bin/sh\necho ${manifest.name}\n`, { mode: 0o755 });
  writeFileSync(join(folder, manifest.name, 'package/package.json'), JSON.stringify(manifest));
  const file = join(folder, manifest.name, 'package.tgz');
  spawnSync('tar', ['-czf', file, '-C', join(folder, manifest.name), 'package']);
  return readFileSync(file);
}

/** Starts a registry on loopback that has these packages and responds 404 for all others. Returns its URL. */
export async function startRegistry(packages: readonly PublishedPackage[], folder: string): Promise<string> {
  const responses = new Map<string, string | Buffer>();
  const server = createServer((request, response) => {
    const found = responses.get(decodeURIComponent(request.url ?? ''));
    response.writeHead(found === undefined ? 404 : 200).end(found ?? '{}');
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const published of packages) {
    const { executable: _inTheTarball, ...manifest } = published;
    const tarball = tarballOf(published, folder);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const path = `/${manifest.name}/-/package.tgz`;
    const dist = { tarball: address + path, integrity };
    const { name, version } = manifest;
    const versions = { [version]: { ...manifest, dist } };
    responses.set(path, tarball);
    responses.set(`/${name}`, JSON.stringify({ name, versions, 'dist-tags': { latest: version } }));
  }
  return address;
}
