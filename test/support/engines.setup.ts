import type { TestProject } from 'vitest/node';
import { startEngines } from '../../local/engines/engines.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds members to one that exists.
  export interface ProvidedContext {
    dynamodbEndpoint: string;
    sqsEndpoint: string;
  }
}

/** Starts one table engine and one queue engine for all test files. Each file makes its own tables and queues. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { path: stateDir, remove } = temporaryFolder('engines');
  const onLost = (engine: string) => console.error(`${engine} ended in the middle of the tests`);
  const engines = await startEngines({ stateDir, tables: [], queues: [], endpoints: {}, onLost });
  project.provide('dynamodbEndpoint', engines.endpoints.dynamodb);
  project.provide('sqsEndpoint', engines.endpoints.sqs);
  return async () => {
    await engines.stop();
    remove();
  };
}
