// Argument: the compiled client.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const client = createRequire(import.meta.url)(process.argv[2]);
const { BASE_URL: basePath, LOGIN: username, SECRET: password, CALLS } = process.env;
const configuration = new client.Configuration({ basePath, username, password, apiKey: 'none' });
const first = (name) => name[0].toLowerCase() + name.slice(1);
for (const { operationId, parameters, body, bodyType } of JSON.parse(readFileSync(CALLS, 'utf8'))) {
  const operation = first(operationId);
  const Api = Object.values(client).find((one) => operation in (one.prototype ?? {}));
  const read = client[`${bodyType}FromJSON`];
  const given = body && { [first(bodyType)]: Array.isArray(body) ? body.map(read) : read(body) };
  const status = await new Api(configuration)[operation]({ ...parameters, ...given }).then(
    () => 200,
    (error) => error.response?.status ?? error,
  );
  console.log(operationId, status);
}
