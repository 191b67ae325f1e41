import { readFileSync } from 'node:fs';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { inTab, signIn, type Tab } from './browser.ts';
import { type RunningTests, realTime, sharedService } from './shared-service.ts';

type Visit = (tab: Tab, page: Page) => Promise<void>;
export type Key = { login: string; secret: string };

type Options = {
  /** The default is the service in real time, as faster schedules slow pages down. */
  retrySpeed?: number;
  hasEndpoint?: boolean;
};

/** Gives the tests of a file a service and a browser, with which they visit a page of the console such as `/keys`. */
export function consoleFixture(path: string, { retrySpeed = realTime, hasEndpoint = true }: Options = {}) {
  const running = {} as { service: RunningTests };
  const urlOf = (page = path) => `${running.service.endpoints.baseUrl}/console${page}`;
  beforeAll(async () => {
    running.service = await sharedService(retrySpeed, { hasEndpoint });
  });
  afterAll(() => running.service.stop());
  const visitAt = (page: string, visit: Visit) => inTab(urlOf(page), (tab) => visit(tab, tab.page));
  return {
    running,
    urlOf,
    visitAt,
    visit: (visit: Visit) => visitAt(path, visit),
    /** Visits the page, and signs in with the partner's first key. */
    signedIn: (visit: Visit) =>
      visitAt(path, async (tab, page) => {
        await signIn(tab, running.service.endpoints);
        await visit(tab, page);
      }),
    newKey: async (key: { role: string; label?: string; offerIds?: string[]; placeIds?: string[] }) =>
      (await request(running.service.partner, 'POST /keys', key)).body as Key,
  };
}

/**
 * Clicks a button of a dialog that requests `path`, and closes the dialog, or leaves, before the response comes.
 * `meanwhile` happens between the two.
 */
export async function closeWhileSending(
  page: Page,
  path: string,
  button: string,
  close: () => Promise<unknown> = () => page.keyboard.press('Escape'),
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const release = await holdRequests(page, path);
  const sent = page.waitForRequest((request) => request.method() !== 'GET');
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
  await sent;
  await close();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await meanwhile();
  release();
}

/**
 * Holds the requests of `path` that are no GET until the returned function is called. Then they go on, or what `end` does
 * with them, and later ones are not held.
 */
export async function holdRequests(
  page: Page,
  path: string,
  end: (route: Route) => Promise<void> = (route) => route.fallback(),
): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await isReleased;
    await end(route);
    await page.unroute(path, hold);
  };
  await page.route(path, hold);
  return release;
}

/** Loses the response to the next request of `path` that changes something, which the service does. */
export async function loseResponse(page: Page, path: string): Promise<void> {
  const lose = await holdRequests(page, path, async (route) => {
    await route.fetch();
    await route.abort();
  });
  lose();
}

/** Returns the secret that the dialog shows, and closes the dialog, which never shows it again. */
export async function storedSecret(page: Page, form: RegExp): Promise<string> {
  await page.getByText('it is never shown again').waitFor();
  const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(secret).toMatch(form);
  expect(await page.content()).not.toContain(secret);
  return secret;
}

/** Expects that Tab which is held down moves the focus on from a button. */
export async function heldTabLeaves(page: Page, button: Locator): Promise<void> {
  await page.keyboard.down('Tab');
  await button.focus();
  await page.keyboard.down('Tab');
  await page.keyboard.up('Tab');
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(false);
}

/** Brings a page into view again after a time. It then reads what may have changed. */
export async function returnTo(page: Page): Promise<void> {
  await page.clock.fastForward(6_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

/** Chooses a file in the page's only field for one. */
export async function chooseFile(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const buffer = Buffer.from(content as Uint8Array);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
}

/** Clicks the button, and returns the name and the lines of the file that is saved. */
export async function savedFile(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await saved;
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
  return { name: file.suggestedFilename(), lines };
}

export async function savedLines(page: Page, button: string): Promise<string[]> {
  return (await savedFile(page, button)).lines;
}
