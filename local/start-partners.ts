import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJsonFile } from './json-file.ts';
import { type Partner, type Partners, rememberPartners } from './partners.ts';
import { npmRun } from './running-service.ts';
import type { SeedOptions, Standing } from './seed.ts';
import { type ExpectedKeys, partnerUrl, startPartnerSimulator } from './simulators/partner.ts';

/** `seed.json`, from which a start knows what earlier starts have seeded. */
const SeedRecord = z.object({
  /** The stream of the seeded table: a table that was deleted and created again has another. */
  tableStream: z.string(),
  /** Where the simulated partners listened last; absent if they have never run. */
  simulatorPort: z.optional(z.int().check(z.minimum(1))),
});

type StartPartnersOptions = {
  stateDir: string;
  port: number;
  simulators?: boolean | undefined;
  limits?: NonNullable<SeedOptions['limits']>;
  table: Pick<SeedOptions, 'dynamodbEndpoint' | 'tableName'> & { stream: string };
};

/** Keeps a distance to the service's port, so that services side by side do not take each other's ports. */
function portBeside(port: number): number {
  return port === 0 || port > 55_535 ? 0 : port + 10_000;
}

/** The keys that callbacks are sent with: the newest signing secret, and HTTP Basic if the endpoint has it. */
function presentedKeys(endpoint: Standing['endpoint']): ExpectedKeys | undefined {
  const [newest] = endpoint?.signingSecrets.toSorted((a, b) => b.createdAt - a.createdAt) ?? [];
  return newest && { webhookSecret: newest.secret, ...endpoint?.basic };
}

function explainMissingSecret({ login, partnerId }: Partner, isDisabled: boolean, stateDir: string): string {
  const enable = npmRun('partner', `enable ${partnerId}`, stateDir);
  // The option --replace makes it work whether the login has one unknown secret or two.
  const rotate = npmRun('partner', `keys rotate ${partnerId} ${login} --replace`, stateDir);
  const repair = isDisabled
    ? `This enables the partner, for the next start: ${enable}`
    : `This makes a new secret, to be put into ${stateDir}/partners.json before the next start: ${rotate}`;
  const fresh = npmRun('start', '--fresh', stateDir);
  return `The credentials of ${login} in this folder do not work any more. ${repair}. This begins again, with new ones and no data: ${fresh}`;
}

export type RunningPartners = Awaited<ReturnType<typeof startPartners>>;

/** Starts the simulated partners where they listened last, and seeds what no earlier start has seeded. */
export async function startPartners({
  stateDir,
  port,
  table,
  simulators = true,
  limits = {},
}: StartPartnersOptions) {
  const partners = rememberPartners(stateDir);
  const { stream: tableStream, ...tableAddress } = table;
  const file = join(stateDir, 'seed.json');
  const otherwise = 'is no record of a start: delete it, or start from scratch with --fresh.';
  const last = readJsonFile(file, SeedRecord, otherwise);
  const seeded = last?.tableStream === tableStream ? last : undefined;
  await using starting = new AsyncDisposableStack();

  let standings: Partial<Record<keyof Partners, Standing>> = {};
  const keysOf = (name: keyof Partners) =>
    presentedKeys(standings[name]?.endpoint) ?? partners[name].callback;
  const simulator = simulators
    ? await startPartnerSimulator(last?.simulatorPort ?? portBeside(port), keysOf)
    : undefined;
  if (simulator) starting.defer(simulator.stop);
  // Import it late, because loading the SDK would delay everything else.
  const { seedPartners } = await import('./seed.ts');
  standings = await seedPartners({
    ...tableAddress,
    partners,
    limits,
    ...(simulator ? { simulatorPort: simulator.port } : {}),
    ...(seeded ? { seeded } : {}),
  });
  const simulatorPort = simulator?.port ?? seeded?.simulatorPort;
  writeFileSync(file, JSON.stringify({ tableStream, simulatorPort }, null, 2));

  /** The credentials of a partner, and where its simulator runs (`/callback`, `/received`, `/behave` below the URL). */
  const describe = (name: keyof Partners) => {
    const { login, secret, partnerId, offerId } = partners[name];
    const { hasValidSecret = false, isDisabled = false } = standings[name] ?? {};
    const whyNoSecret = hasValidSecret
      ? undefined
      : explainMissingSecret(partners[name], isDisabled, stateDir);
    const { webhookSecret, login: basicLogin, secret: password } = keysOf(name);
    const hasBasic = basicLogin !== undefined && password !== undefined;
    const basic = hasBasic ? { basic: { login: basicLogin, password } } : {};
    return {
      login,
      /** Empty when the one in this folder is not valid any more: `whyNoSecret` is a sentence then. */
      secret: whyNoSecret === undefined ? secret : '',
      ...(whyNoSecret === undefined ? {} : { whyNoSecret }),
      partnerId,
      offerId,
      ...(simulator ? { partner: { url: partnerUrl(name, simulator.port), webhookSecret, ...basic } } : {}),
    };
  };
  const running = starting.move();
  return { main: describe('main'), other: describe('other'), stop: () => running.disposeAsync() };
}
