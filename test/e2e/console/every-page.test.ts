import { expect } from 'vitest';
import {
  browserTest,
  openPage,
  pageLinks,
  seriousFindings,
  signIn,
  type Tab,
} from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { running, signedIn, urlOf, visit } = consoleFixture('', { hasEndpoint: false });

browserTest('a page is shown as soon as its file is there, though the clock stands still', () =>
  signedIn(async ({ page }) => {
    try {
      // The tests of a worker share the clock, as they share the browser, so it may be ahead of this process.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
      await page.getByRole('link', { name: 'Promotions', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Promotions', exact: true }).waitFor();
    } finally {
      await page.clock.resume();
    }
  }),
);

/** Opens one operation with its details, and keeps one closed of each method, since the others look alike. */
async function openOperation({ page }: Tab): Promise<void> {
  await page.locator('#api-reference .opblock-summary-control').nth(1).click();
  await page.getByText('Parameters', { exact: true }).first().waitFor();
  await page.locator('#api-reference .opblock').evaluateAll((operations) => {
    const shown = new Set<string>();
    for (const operation of operations) {
      if (shown.has(operation.className)) operation.setAttribute('style', 'display: none');
      shown.add(operation.className);
    }
  });
  expect(await page.locator('#api-reference .opblock:visible').count()).toBe(5);
}

/** Checks one page in both schemes. Only contrast depends on colors, which the API reference fades in, so it polls. */
async function expectAccessible(tab: Tab, name: string): Promise<void> {
  for (const [colorScheme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
    await tab.page.emulateMedia({ colorScheme });
    await tab.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    const findings = expect.poll(() => seriousFindings(tab, rules), {
      message: `${name}, ${colorScheme}`,
      timeout: 20_000,
    });
    await findings.toEqual([]);
  }
}

browserTest(
  'every page of the menu can be loaded again, is accessible, light and dark, and breaks no rule of the Content-Security-Policy',
  () =>
    visit(async (tab) => {
      await expectAccessible(tab, 'Sign in');
      await signIn(tab, running.service.endpoints);
      await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      const addresses: string[] = [];
      for (const name of await pageLinks(tab).allTextContents()) {
        await openPage(tab, name);
        addresses.push(tab.page.url());
        if (name === 'API reference') await openOperation(tab);
        await expectAccessible(tab, name);
      }
      expect(addresses.slice(0, 2)).toEqual([urlOf(), urlOf('/service-points')]);
      for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
      // Vite never loads a page's style again after a failure, so pages have their styles in their scripts.
      expect(tab.urls.filter((url) => url.endsWith('.css'))).toHaveLength(1);
    }),
);
