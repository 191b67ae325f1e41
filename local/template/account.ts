/** The account that the templates are "deployed" to. fauxqs knows no other number than this one. */
export const account = {
  id: '000000000000',
  region: 'eu-central-1',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
} as const;

/** Names one of our resources as AWS would. */
export function arn(service: string, resource: string): string {
  return `arn:${account.partition}:${service}:${account.region}:${account.id}:${resource}`;
}

/** There is one HTTP API, so its id is fixed. */
export const apiId = 'local';
export const apiDomain = `${apiId}.execute-api.${account.region}.${account.urlSuffix}`;
