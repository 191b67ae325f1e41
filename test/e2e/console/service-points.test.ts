import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { moscowBars } from '../../../ops/scenario/data/moscow-bars.ts';
import { browserTest, seriousFindings, signIn, type Tab } from '../../support/browser.ts';
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

async function choose({ page }: Tab, name: string, content: string): Promise<void> {
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
        .getByText('Finished: 8 added, 20 updated, 501 unchanged, 10 removed, 2 rejected')
        .waitFor();
      await preview.getByText('places[20].placeInfo.address: required, it is empty').waitFor();
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
      await choose(tab, 'three.csv', 'itemId;address\n1;Арбат, 1\n2;Арбат, 2\n3;Арбат, 3\n');
      await tab.page.getByText(/confirmRemovals/).waitFor();
      await tab.page.getByLabel('Remove the 531 points that the list does not name').check();
      await tab.page.getByRole('button', { name: 'Send the list' }).click();
      await tab.page
        .getByText('Finished: 3 added, 0 updated, 0 unchanged, 531 removed, 0 rejected')
        .waitFor();
      await count(tab, '3 of 3');
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
