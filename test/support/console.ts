import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { LocalServiceOptions } from '../../local/service.ts';
import { inTab, startBrowser, type Tab } from './browser.ts';
import { type RunningService, startService } from './service.ts';

type Visit = (tab: Tab) => Promise<void>;

/** The service and a browser for the tests of a file, which visit a page of the console: `/keys`. */
export function consoleFixture(path: string, options: Partial<LocalServiceOptions> = {}) {
  const running = {} as { service: RunningService; browser: Browser | undefined };
  const urlOf = (page = path) => `${running.service.endpoints.baseUrl}/console${page}`;
  beforeAll(async () => {
    // In real time, unlike other tests: schedules that run four times a second would slow the pages down.
    const [service, browser] = await Promise.all([
      startService({ retrySpeed: 1, ...options }),
      startBrowser(),
    ]);
    Object.assign(running, { service, browser });
  });
  afterAll(async () => {
    await Promise.all([running.service.stop(), running.browser?.close()]);
  });
  const visitAt = (page: string, visit: Visit) => inTab(running.browser, urlOf(page), visit);
  return { running, urlOf, visitAt, visit: (visit: Visit) => visitAt(path, visit) };
}
