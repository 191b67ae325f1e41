import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// CDK brings this parser along, so the test needs no dependency of its own.
const fromCdk = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib/package.json'));
const { parse } = fromCdk('yaml') as { parse: (text: string) => Workflow & Action };

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = {
  if?: string;
  needs?: string;
  uses?: string;
  'timeout-minutes'?: number;
  environment?: string;
  concurrency?: object;
  permissions: Record<string, string>;
  steps?: Step[];
};
type Workflow = { on: object; permissions: object; jobs: Record<string, Job> };
type Action = { inputs: object; runs: { steps: Step[] } };

const files = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml'))
  .map((file) => ({ file: `.github/${file}`, text: readFileSync(join(root, '.github', file), 'utf8') }));

function textOf(file: string) {
  return files.find((one) => one.file === `.github/${file}`)?.text ?? '';
}

const workflows = files
  .filter(({ file }) => file.startsWith('.github/workflows/'))
  .map(({ file, text }) => ({ file, ...parse(text) }));
const jobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${basename(file)} ${name}`, steps: [], ...job })),
);
const action = parse(textOf('actions/deploy-stage/action.yml'));
const { staging, prod } = parse(textOf('workflows/deliver.yml')).jobs;
const steps = [...jobs.flatMap((job) => job.steps), ...action.runs.steps];

test('every action of others is pinned to a commit, with its version beside it', () => {
  const used = files.flatMap(({ text }) =>
    [...text.matchAll(/\buses: *(.+)$/gm)].map(([, what = '']) => what),
  );
  const foreign = used.filter((what) => !what.startsWith('./'));
  expect(foreign.length).toBeGreaterThanOrEqual(11);
  for (const what of foreign) expect(what).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  for (const what of used.filter((one) => one.startsWith('./'))) {
    expect(existsSync(join(root, what))).toBe(true);
  }
});

test('no key of AWS is stored: roles are assumed by the identity of the run', () => {
  for (const { text } of files) expect(text).not.toMatch(/access.?key|session.?token|AKIA/i);
  const secrets = files.flatMap(({ text }) => text.match(/secrets\.\w+/g) ?? []);
  expect([...new Set(secrets)].sort()).toEqual([
    'secrets.SMOKE_CLIENT_CERTIFICATE',
    'secrets.SMOKE_CLIENT_KEY',
    'secrets.SMOKE_LOGIN',
    'secrets.SMOKE_SECRET',
  ]);
});

test('a job has the permissions listed here and no others, and a time limit', () => {
  const assumesRole = { contents: 'read', 'id-token': 'write' };
  const reads = { contents: 'read' };
  expect(Object.fromEntries(jobs.map(({ name, permissions }) => [name, permissions]))).toEqual({
    'checks.yml checks': reads,
    'codeql.yml codeql': { actions: 'read', contents: 'read', 'security-events': 'write' },
    'deliver.yml checks': reads,
    'deliver.yml staging': assumesRole,
    'deliver.yml prod': assumesRole,
    'dependency-review.yml dependency-review': reads,
    'diff.yml diff': assumesRole,
  });
  for (const { permissions } of workflows) expect(permissions).toEqual({});
  for (const { name, ...job } of jobs) {
    if (!job.uses) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(90);
  }
});

test('a job that may ask for a token of a role runs no install script of a package', () => {
  const withToken = jobs.filter(({ permissions }) => permissions['id-token'] === 'write');
  expect(withToken.map(({ name }) => name)).toEqual([
    'deliver.yml staging',
    'deliver.yml prod',
    'diff.yml diff',
  ]);
  for (const { name, uses, steps: own } of withToken) {
    expect(uses, name).toBeUndefined();
    const all = own.flatMap((step) =>
      step.uses === './.github/actions/deploy-stage' ? action.runs.steps : [step],
    );
    expect(all.filter(({ uses: used }) => used?.startsWith('./'))).toEqual([]);
    const lines = all
      .flatMap(({ run = '' }) => run.split('\n'))
      .filter((line) => /\bnpm (?!run\b)/.test(line));
    expect([name, lines.map((line) => line.trim())]).toEqual([name, ['npm ci --ignore-scripts']]);
  }
  // Every npm script begins with this program, which installs what is missing.
  const installer = readFileSync(join(root, 'build/ensure-installed.js'), 'utf8');
  expect(installer.match(/\bnpm ci -[^']*/g)).toEqual([
    'npm ci --ignore-scripts --no-audit --no-fund --loglevel=error',
  ]);
});

test('nothing of an event is pasted into a script, and no token is left in the checkout', () => {
  for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  for (const { on } of workflows) expect(Object.keys(on)).not.toContain('pull_request_target');
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts).toHaveLength(5);
  for (const checkout of checkouts) expect(checkout.with).toEqual({ 'persist-credentials': false });
});

test('prod waits for what staging has proved, and for the reviewers of its environment; no deployment overlaps another or is stopped half way', () => {
  expect(staging?.if).toBe("github.ref == 'refs/heads/main'");
  for (const [stage, job, needs, push] of [
    ['staging', staging, 'checks', 'yes'],
    ['prod', prod, 'staging', 'no'],
  ] as const) {
    expect(job).toMatchObject({ needs, environment: stage });
    expect(job?.concurrency).toEqual({ group: `deliver-${stage}`, 'cancel-in-progress': false });
    const deployed = job?.steps?.find(({ uses }) => uses?.endsWith('/deploy-stage'))?.with ?? {};
    expect(deployed).toMatchObject({ stage, push });
    expect(Object.keys(deployed).sort()).toEqual(Object.keys(action.inputs).sort());
  }
  // A job for a stage may only succeed after its smoke test has passed.
  expect(action.runs.steps.at(-1)?.run).toContain('npm run smoke -- --base-url "$BASE_URL"');
  for (const step of [...(staging?.steps ?? []), ...(prod?.steps ?? []), ...action.runs.steps]) {
    expect(step).not.toHaveProperty('continue-on-error');
    expect(step).not.toHaveProperty('if');
  }
});
