import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import {
  browserTest,
  inTab,
  openPage,
  pageLinks,
  seriousFindings,
  signIn,
  startBrowser,
  type Tab,
} from '../../support/browser.ts';
import { type RunningService, startService } from '../../support/service.ts';

let service: RunningService;
let browser: Browser | undefined;
let consoleUrl: string;
let key: { login: string; secret: string };
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  consoleUrl = `${service.endpoints.baseUrl}/console`;
  key = service.endpoints;
});
afterAll(async () => {
  await Promise.all([service.stop(), browser?.close()]);
});

test('the address of the service leads to the console, and its document is there', async () => {
  const home = await fetch(service.endpoints.baseUrl);
  expect([home.url, home.status]).toEqual([consoleUrl, 200]);
  const document = await fetch(`${service.endpoints.baseUrl}/openapi.json`);
  expect(await document.json()).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
});

browserTest('a wrong key says so and stays there; the right one leads to the page that was opened', () =>
  inTab(browser, `${consoleUrl}/callbacks`, async (tab) => {
    await signIn(tab, { login: key.login, secret: 'wrong' });
    await tab.page.getByText('This login and secret are not accepted').waitFor();
    await signIn(tab, key);
    await tab.page.getByRole('heading', { level: 1, name: 'Callbacks' }).waitFor();
    expect(new URL(tab.page.url()).pathname).toBe('/console/callbacks');
    expect(await pageLinks(tab).allTextContents()).toEqual([
      'Overview',
      'Service points',
      'Check-ins',
      'Messages',
      'Phone',
      'Callbacks',
      'Promotions',
      'Keys',
      'API reference',
    ]);
  }),
);

browserTest('signing out forgets the key and what it has read, and nothing was ever stored', () =>
  inTab(browser, consoleUrl, async (tab) => {
    await signIn(tab, key);
    await tab.page.getByText('1,000,000').waitFor();
    const kept = () =>
      tab.page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
      );
    const basic = btoa(`${key.login}:${key.secret}`);
    for (const secret of [key.secret, basic]) {
      expect(await kept()).not.toContain(secret);
      expect([...tab.urls, ...tab.written].join('\n')).not.toContain(secret);
    }
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.page.getByLabel('Login').waitFor();
    expect(await tab.page.getByLabel('Secret').inputValue()).toBe('');
    expect(await tab.page.content()).not.toContain('bars-of-moscow');
    await tab.page.reload();
    await tab.page.getByLabel('Login').waitFor();
  }),
);

browserTest('a key of a cash desk sees its pages only', () =>
  inTab(browser, `${consoleUrl}/keys`, async (tab) => {
    const { body } = await request(service.partner, 'POST /keys', { role: 'cash-desk' });
    await signIn(tab, body as typeof key);
    await tab.page.getByText('This page is not here').waitFor();
    expect(await pageLinks(tab).allTextContents()).toEqual(['Overview', 'Check-ins', 'API reference']);
    await tab.page.getByRole('link', { name: 'Overview' }).first().click();
    await tab.page.getByText('cash-desk', { exact: true }).waitFor();
  }),
);

browserTest('a key that is deleted ends the session, and the page says so', () =>
  inTab(browser, consoleUrl, async (tab) => {
    const made = (await request(service.partner, 'POST /keys', { role: 'observer' })).body as typeof key;
    await signIn(tab, made);
    await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await tab.page.route('**/callbacks/endpoint', (route) =>
      route.fulfill({ status: 403, json: { message: 'Forbidden' } }),
    );
    await tab.page.getByText('This key is no longer accepted').waitFor();
  }),
);

/** Its parameters and responses, too. */
async function openOperation({ page }: Tab): Promise<void> {
  await page.locator('#api-reference .opblock-summary-control').nth(1).click();
  await page.getByText('Parameters', { exact: true }).first().waitFor();
}

browserTest('a key with several offers chooses the one that the pages are about', () =>
  inTab(browser, `${consoleUrl}/service-points`, async (tab) => {
    const own = (await request(service.partner, 'GET /keys/self')).body as object;
    await tab.page.route('**/keys/self', (route) =>
      route.fulfill({ json: { ...own, offerIds: ['bars-of-moscow', 'coffee-of-moscow'] } }),
    );
    await signIn(tab, key);
    await tab.page.getByText('No service points yet').waitFor();
    await tab.page.getByLabel('Offer').selectOption('coffee-of-moscow');
    await tab.page.getByText('offerId: is not a loyalty program of this account').first().waitFor();
  }),
);

async function findingsOfEachPage(tab: Tab, rules?: readonly string[]): Promise<string[]> {
  const findings: string[] = [];
  for (const name of await pageLinks(tab).allTextContents()) {
    await openPage(tab, name);
    if (name === 'API reference') await openOperation(tab);
    findings.push(...(await seriousFindings(tab, rules)).map((finding) => `${name}: ${finding}`));
  }
  return findings;
}

// Nothing but contrast depends on the colours.
for (const [colorScheme, rules] of [
  ['light', undefined],
  ['dark', ['color-contrast']],
] as const) {
  browserTest(
    `every page is accessible (${colorScheme}) and breaks no rule of the Content-Security-Policy`,
    () =>
      inTab(browser, consoleUrl, async (tab) => {
        await tab.page.emulateMedia({ colorScheme });
        expect(await seriousFindings(tab, rules)).toEqual([]);
        await signIn(tab, key);
        await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        expect(await findingsOfEachPage(tab, rules)).toEqual([]);
      }),
  );
}
