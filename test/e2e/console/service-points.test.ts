import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { moscowBars } from '../../../ops/scenario/data/moscow-bars.ts';
import { browserTest, openPage, seriousFindings, signIn, type Tab } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';
import { finishedSession } from '../../support/service.ts';

const { running, visit } = consoleFixture('/service-points');
const bars = moscowBars();
const folder = mkdtempSync(join(tmpdir(), 'console-lists-'));
beforeAll(async () => {
  const { partner } = running.service;
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places: bars }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function onPage(act: (tab: Tab) => Promise<void>) {
  return visit(async (tab) => {
    await signIn(tab, running.service.endpoints);
    await act(tab);
  });
}

async function choose({ page }: Tab, name: string, content: string | Uint8Array): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, content);
  await page.locator('input[type=file]').setInputFiles(file);
}

async function count({ page }: Tab, text: string, timeout = 30_000): Promise<void> {
  await page
    .getByRole('region', { name: 'Service points' })
    .getByText(text, { exact: true })
    .waitFor({ timeout });
}

const threeBars = 'itemId;address\n1;Арбат, 1\n2;Арбат, 2\n3;Арбат, 3\n';

/** Waits until the newest two lists say so. */
function newestLists({ page }: Tab, ...expected: [RegExp, RegExp]): Promise<void> {
  const rows = page.getByRole('region', { name: 'Recent lists' }).locator('time').locator('xpath=../..');
  const newest = expect.poll(async () => (await rows.allTextContents()).slice(0, 2), { timeout: 30_000 });
  return newest.toEqual(expected.map((text) => expect.stringMatching(text)));
}

browserTest(
  'a list of 533 points with 40 changes is previewed, sent, and seen on the map and in the table',
  () =>
    onPage(async (tab) => {
      await count(tab, '533 of 533');

      const renamed = bars
        .slice(0, 20)
        .map((bar) => ({ ...bar, placeInfo: { ...bar.placeInfo, name: 'Переименован' } }));
      const fresh = Array.from({ length: 8 }, (_, n) => ({
        itemId: `new-${n}`,
        placeInfo: { address: 'Арбат, 1' },
      }));
      const wrong = bars.slice(20, 22).map(({ itemId }) => ({ itemId, placeInfo: { address: '' } }));
      await choose(
        tab,
        'bars.json',
        JSON.stringify({ places: [...renamed, ...wrong, ...bars.slice(32), ...fresh] }),
      );
      const preview = tab.page.getByRole('region', { name: 'Preview: nothing is changed yet' });
      await preview
        .getByText('Would be: 8 added, 20 updated, 501 unchanged, 10 removed, 2 rejected')
        .waitFor();
      const error = `element 21${bars[20]?.itemId}placeInfo.address: required, it is empty`;
      await expect.poll(() => preview.getByRole('row').allTextContents()).toContain(error);
      const saved = tab.page.waitForEvent('download');
      await preview.getByRole('button', { name: 'Save 2 errors as CSV' }).click();
      expect(readFileSync(await (await saved).path(), 'utf8').split('\r\n')).toHaveLength(3);
      await count(tab, '533 of 533');

      await tab.page.getByRole('button', { name: 'Send the list' }).click();
      await tab.page
        .getByRole('region', { name: 'The list', exact: true })
        .getByText('Finished: 8 added, 20 updated, 501 unchanged, 10 removed, 2 rejected')
        .waitFor();
      await count(tab, '531 of 531');
      await tab.page
        .getByRole('application', { name: 'Map of 523 service points; the table below has the same' })
        .waitFor();
      await tab.page.getByLabel('Search').fill('переименован');
      await count(tab, '20 of 531');
      expect(await seriousFindings(tab)).toEqual([]);
    }),
);

browserTest(
  'a CSV file that would remove most points says so, and removes them only when that is confirmed',
  () =>
    onPage(async (tab) => {
      const { page } = tab;
      await choose(tab, 'three.csv', threeBars);
      await page
        .getByText('Would be: 3 added, 0 updated, 0 unchanged, 0 removed, 0 rejected, 531 removals held')
        .waitFor();
      await page.getByText(/confirmRemovals/).waitFor();
      await page.getByRole('button', { name: 'Send the list' }).click();
      const sent = page.getByRole('region', { name: 'The list', exact: true });
      await sent.getByText(/^Finished: 3 added, .*, 531 removals held$/).waitFor();
      const held = /: 3 added, 531 removals heldRemovals held$/;
      await newestLists(tab, held, /: would be 3 added, 531 removals heldDry run$/);

      // The overview shows the list that was sent, not the dry run after it.
      await choose(tab, 'three.csv', threeBars);
      await newestLists(tab, /: would be 531 removals heldDry run$/, held);
      await openPage(tab, 'Overview');
      const last = page.getByRole('region', { name: 'Service points' });
      await expect.poll(() => last.textContent()).toMatch(/StatusRemovals held.*Added3.*Removals held531$/);

      await openPage(tab, 'Service points');
      await choose(tab, 'three.csv', threeBars);
      await page.getByLabel('Remove the 531 points that the list does not name').check();
      await page.getByRole('button', { name: 'Send the list' }).click();
      await sent
        .getByText('Finished: 0 added, 0 updated, 3 unchanged, 531 removed, 0 rejected', { exact: true })
        .waitFor();
      await count(tab, '3 of 3');
    }),
);

browserTest('a list that Excel saved in Windows-1251 is stored with its letters, which are seen before', () =>
  onPage(async (tab) => {
    const { page } = tab;
    // `Арбат`
    const arbat = Uint8Array.from([0xc0, 0xf0, 0xe1, 0xe0, 0xf2]);
    const [before, after] = ['itemId;address;lat;lng\r\n\r\nw1;', ';55,75;37,6\r\nw2;;;\r\n'].map((text) =>
      Buffer.from(text),
    );
    await choose(tab, 'excel.csv', Buffer.concat([before ?? [], arbat, after ?? []] as Uint8Array[]));
    await page.getByText('2 service points, read as Windows-1251 because it is not UTF-8').waitFor();
    const first = page.getByRole('table', { name: 'First service points' }).getByRole('row');
    expect(await first.allTextContents()).toEqual([
      'In the fileitemIdNameAddressOthers',
      'row 3w1Арбат55.75 37.6',
      'row 4w2',
    ]);
    const errors = page.getByRole('table', { name: 'Errors' }).getByRole('row');
    await expect.poll(() => errors.allTextContents()).toContain('row 4w2placeInfo.address: required');
    expect(await seriousFindings(tab)).toEqual([]);
    await page.getByLabel(/^Remove the/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send the list' }).click();
    await page
      .getByRole('region', { name: 'The list', exact: true })
      .getByText('Finished: 1 added')
      .waitFor();
    const { body } = await request(running.service.partner, 'GET /places?limit=500');
    expect((body as { places: object[] }).places).toContainEqual({
      itemId: 'w1',
      placeInfo: { address: 'Арбат', geoPoint: { lat: 55.75, lng: 37.6 } },
    });
  }),
);

browserTest('a column that is not read is named before the list is sent', () =>
  onPage(async (tab) => {
    await choose(tab, 'typed.csv', 'itemId;address;Type\n1;Арбат, 1;бар\n');
    await tab.page
      .getByRole('alert')
      .getByText('Not read, because the column is unknown: Type. Known are itemId, name, address, type,')
      .waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
  }),
);

browserTest('a check of a list that the network lost is repeated without choosing the file again', () =>
  onPage(async (tab) => {
    const isStart = (url: URL) => url.pathname === '/places/sync';
    await tab.page.route(isStart, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await choose(tab, 'one.csv', 'itemId;address\n1;Арбат, 1\n');
    const failure = tab.page.getByRole('alert').filter({ hasText: 'The list could not be checked' });
    await failure.getByText('The service cannot be reached').waitFor();
    await tab.page.unroute(isStart);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByText(/^Would be: /).waitFor();
  }),
);

browserTest('10,000 points are read, drawn and searched', () =>
  onPage(async (tab) => {
    const places = Array.from({ length: 10_000 }, (_, n) => ({
      itemId: `p${n}`,
      placeInfo: { address: `Улица ${n}`, geoPoint: { lat: 55 + (n % 100) / 100, lng: 37 + n / 10_000 } },
    }));
    await choose(tab, 'many.json', JSON.stringify(places));
    await tab.page.getByRole('button', { name: 'Send the list' }).click();
    await count(tab, '10,000 of 10,000', 60_000);
    await tab.page.getByLabel('Search').fill('улица 9999');
    await count(tab, '1 of 10,000');
  }),
);
