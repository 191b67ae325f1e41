import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { close, listen } from '../../local/http/loopback.ts';
import { type RunningService, startService } from './service.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds members to one that exists.
  export interface ProvidedContext {
    sharedServices: string;
  }
}

/** A shared service, as `GET /<retry speed>` describes it. */
export type SharedService = Pick<RunningService, 'endpoints' | 'stateDir'> & {
  /** Counts the files that asked, so that each of them has partners of its own. */
  file: number;
  /** A sentence for each call so far that the role of a function did not allow. */
  refused: string[];
};

/** Starts one service for each retry speed, when the first test file asks for it, and stops them after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = new Map<string, Promise<RunningService>>();
  const refused: string[] = [];
  let file = 0;
  const describe = async (url: string): Promise<SharedService> => {
    const service = services.get(url) ?? startService({ retrySpeed: Number(url.slice(1)) });
    services.set(url, service);
    const { endpoints, stateDir, meter } = await service;
    refused.push(...((await meter?.refused()) ?? []));
    file += 1;
    return { endpoints, stateDir, refused, file };
  };
  const server = createServer(({ url = '' }, response) => {
    describe(url).then(
      (service) => response.end(JSON.stringify(service)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  project.provide('sharedServices', `http://127.0.0.1:${await listen(server, 0)}`);
  return async () => {
    await close(server);
    // A service that did not start has failed the file that asked for it.
    for (const service of services.values()) await (await service.catch(() => undefined))?.stop();
  };
}
