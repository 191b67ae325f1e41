// Installs the locked dependencies when they are missing or older than the lockfile. It runs before every
// other npm script, on whatever Node started npm (20 or later), so it depends on nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

function modifiedAt(path) {
  return statSync(new URL(`../${path}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// npm rewrites this file at the end of every install, so it dates what is in node_modules.
const installedAt = modifiedAt('node_modules/.package-lock.json');

if (installedAt < modifiedAt('package-lock.json')) {
  console.log('Installing the locked dependencies (npm ci) ...');
  // No locked package needs its install script, and a job that may ask for a role's token must run none.
  const { status } = spawnSync('npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', {
    shell: true,
    stdio: 'inherit',
    cwd: new URL('..', import.meta.url),
  });
  if (status !== 0) {
    console.error('npm ci failed (see its message above). Fix that, then run the same command again.');
    process.exit(1);
  }
}

// Node 24 is an optional dependency for each system, and npm continues without those it cannot install.
if (modifiedAt('node_modules/.bin/node') === 0 && Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `npm has installed no Node 24 for ${process.platform}-${process.arch}: install it (https://nodejs.org), then run the same command again.`,
  );
  process.exit(1);
}
