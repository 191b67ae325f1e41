import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { newAccount } from '../shared/partners/account.ts';
import { partnerStore } from '../shared/partners/partner-store.ts';

const Partner = z.object({
  login: z.string(),
  secret: z.string(),
  partnerId: z.string(),
  offerId: z.string(),
});
export type Partner = z.infer<typeof Partner>;

const Partners = z.object({ main: Partner, other: Partner });
export type Partners = z.infer<typeof Partners>;

export type SeedOptions = { dynamodbEndpoint: string; tableName: string; stateDir: string };

/**
 * Two partners to try the service with, the second one so that isolation can be tried. The service stores no
 * secret, so the local runner remembers them beside its other state, and a restart shows the same ones.
 */
export const seedPartners = async ({
  dynamodbEndpoint,
  tableName,
  stateDir,
}: SeedOptions): Promise<Partners> => {
  const file = join(stateDir, 'partners.json');
  const partners = existsSync(file) ? Partners.parse(JSON.parse(readFileSync(file, 'utf8'))) : newPartners();
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(file, JSON.stringify(partners, null, 2), { mode: 0o600 });
  const client = new DynamoDBClient({
    endpoint: dynamodbEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const store = partnerStore({ client: DynamoDBDocumentClient.from(client), name: tableName });
  for (const { login, secret, partnerId, offerId } of [partners.main, partners.other]) {
    await store.saveAccount(newAccount({ login, partnerId, offerIds: [offerId] }, secret, Date.now()));
    await store.saveOffer({ offerId, partnerId });
  }
  client.destroy();
  return partners;
};

const newPartners = (): Partners => ({
  main: { login: 'bars', secret: newSecret(), partnerId: 'bars', offerId: 'bars-of-moscow' },
  other: { login: 'bakery', secret: newSecret(), partnerId: 'bakery', offerId: 'bakery-club' },
});

const newSecret = (): string => randomBytes(32).toString('base64url');
