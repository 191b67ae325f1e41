import { afterAll, beforeAll } from 'vitest';
import { inTab, type Tab } from './browser.ts';
import { startService } from './service.ts';
import { type RunningTests, realTime, sharedService } from './shared-service.ts';

type Visit = (tab: Tab) => Promise<void>;

type Options = {
  /** If given, starts a service of its own. */
  retrySpeed?: number;
  hasEndpoint?: boolean;
};

/** Gives the tests of a file a service and a browser, with which they visit a page of the console such as `/keys`. */
export function consoleFixture(path: string, { retrySpeed, hasEndpoint = true }: Options = {}) {
  const running = {} as { service: RunningTests };
  const urlOf = (page = path) => `${running.service.endpoints.baseUrl}/console${page}`;
  beforeAll(async () => {
    const own = retrySpeed && (await startService({ retrySpeed }));
    running.service = own || (await sharedService(realTime, { hasEndpoint }));
  });
  afterAll(() => running.service.stop());
  const visitAt = (page: string, visit: Visit) => inTab(urlOf(page), visit);
  return { running, urlOf, visitAt, visit: (visit: Visit) => visitAt(path, visit) };
}
