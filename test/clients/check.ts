import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basic } from '../support/basic.ts';
import { startService } from '../support/service.ts';

// This program needs `npm ci --prefix test/clients` and, for the service, `npm run build`.

const folder = fileURLToPath(new URL('.', import.meta.url));
const document = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

type Operation = { operationId: string; responses: Record<string, unknown> };

const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

/** Returns the request in an operation's sample event. An alias has the sample of its operation. */
function sampleOf({ route, operationId }: (typeof documented)[number]) {
  const file = new URL(`../../events/${operationId.replace(/Alias$/, '')}.json`, import.meta.url);
  const { pathParameters, queryStringParameters, headers, body } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    route,
    path: pathParameters,
    query: queryStringParameters,
    header: headers.offerid ? { offerId: headers.offerid } : {},
    ...(body ? { body: JSON.parse(body) } : {}),
  };
}

/** The operations that refuse their sample, by the status: after what was called before, nothing else is right. */
const refusals: Record<string, string> = {
  // Nobody has made the place, message, receiver or promotion that it names. Alerts are not set yet, or were deleted.
  404: 'CancelPush GetAlerts GetPromotion GetSendReport ListActivePromotions OpenPhoneMessage OpenSandboxCheckIn TakeSandboxCallback TestAlerts',
  // A key does not end itself, and the endpoint is disabled.
  409: 'DeleteKey ReplayCallbacks RetireKey',
};

/** Redocly's exit status does not tell whether it printed warnings. */
const warning = /\bwarnings?\b/;

function run(what: string, command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(`${folder}node_modules/.bin/${command}`, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  if (status !== 0 || warning.test(stdout + stderr)) throw new Error(`${what} failed\n${stdout}${stderr}`);
  console.log(`${what}: nothing to say`);
}

run('Redocly (recommended)', 'redocly', 'lint', '--extends=recommended', '--max-problems=100', document);
run('Spectral (oas)', 'spectral', 'lint', '--ruleset=spectral.yaml', '--fail-severity=hint', document);
run(
  'openapi-typescript',
  'openapi-typescript',
  document,
  '--output=generated/api.d.ts',
  '--default-non-nullable=false',
);
run('TypeScript', 'tsc', '--project', '.');

const service = await startService();
try {
  const { baseUrl, login = '', secret = '', offerId = '' } = service.partner;
  const authorization = basic(login, secret);
  // This module imports what was generated above and is installed only in this folder.
  const calls = './calls.ts';
  const { callInOrder, callWithSample } = await import(calls);
  const access = { baseUrl, authorization, offerId };
  const called: string[] = await callInOrder(access);
  for (const operation of documented.filter(({ route }) => !called.includes(route))) {
    const status: number = await callWithSample(access, sampleOf(operation));
    const isListed = ([, ids]: [string, string]) => ids.split(' ').includes(operation.operationId);
    const expected = Number(Object.entries(refusals).find(isListed)?.[0] ?? 200);
    if (status !== expected || !(status in operation.responses))
      throw new Error(
        `${operation.route} answered ${status} and not ${expected}, or the document does not have that`,
      );
    console.log(`openapi-fetch: called ${operation.route} with its sample event, got ${status}`);
  }
  console.log(`openapi-fetch: called all ${documented.length} operations`);
} finally {
  await service.stop();
}
