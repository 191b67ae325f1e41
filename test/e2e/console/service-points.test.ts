import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { moscowBars } from '../../../ops/scenario/data/moscow-bars.ts';
import { browserTest, openPage, seriousFindings, shownLater, type Tab } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';
import { isCi } from '../../support/property-runs.ts';
import { finishedSession } from '../../support/service.ts';

const { running, signedIn } = consoleFixture('/service-points');
const bars = moscowBars();
const folder = mkdtempSync(join(tmpdir(), 'console-lists-'));
beforeAll(async () => {
  const { partner } = running.service;
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places: bars }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

/** Waits until the two newest lists match the texts. */
async function newestLists(tab: Tab, ...expected: [RegExp, RegExp]): Promise<void> {
  const recent = tab.page.getByRole('region', { name: 'Recent lists' });
  const rows = recent.locator('time').locator('xpath=../..');
  for (const [n, hasText] of expected.entries()) await shownLater(tab, rows.nth(n).filter({ hasText }));
}

browserTest(
  'a list of 533 points with 40 changes is previewed, sent, and seen on the map and in the table',
  () =>
    signedIn(async (tab) => {
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
      const preview = tab.page.getByRole('region', { name: 'Preview: nothing has changed yet' });
      await preview
        .getByText('The list would add 8, update 20, leave 501 unchanged, remove 10 and reject 2.')
        .waitFor();
      const changes = preview.getByRole('table', { name: 'Changes' }).getByRole('row');
      expect(await changes.allTextContents()).toEqual([
        'ChangeService pointMembers',
        ...bars
          .slice(22, 32)
          .toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1))
          .map(({ itemId, placeInfo: { name, address } }) => `− removed${name} · ${address} · ${itemId}`),
      ]);
      await preview.getByRole('button', { name: 'Page 2', exact: true }).click();
      const { address } = bars[0]?.placeInfo ?? {};
      const first = `Переименован · ${address} · ${bars[0]?.itemId}`;
      expect(await changes.nth(1).textContent()).toBe(`~ updated${first}name`);
      const legend = tab.page.getByRole('region', { name: 'Map' }).getByRole('region', { name: 'Legend' });
      expect(await legend.textContent()).toBe('The preview, on the map:− 10 removed~ 20 updated+ 0 added');
      await preview.getByRole('button', { name: first }).click();
      await tab.page.getByRole('region', { name: 'Map' }).getByText(first, { exact: true }).waitFor();
      const error = `element 21${bars[20]?.itemId}placeInfo.address: required, it is empty`;
      await expect.poll(() => preview.getByRole('row').allTextContents()).toContain(error);
      const saved = tab.page.waitForEvent('download');
      await preview.getByRole('button', { name: 'Save the errors as CSV' }).click();
      expect(readFileSync(await (await saved).path(), 'utf8').split('\r\n')).toHaveLength(3);
      await count(tab, '533 of 533');

      await tab.page.getByRole('button', { name: 'Send the list' }).click();
      await tab.page
        .getByRole('region', { name: 'The list you sent' })
        .getByText('The list added 8, updated 20, left 501 unchanged, removed 10 and rejected 2.')
        .waitFor();
      await count(tab, '531 of 531');
      const map = tab.page.getByRole('region', { name: 'Map' });
      for (const height of [800, 1_200]) {
        await tab.page.setViewportSize({ width: 1280, height });
        const box = await map.boundingBox();
        expect(box?.height).toBeGreaterThan(height * 0.3);
        expect(box?.height).toBeLessThan(height * 0.35);
      }
      await tab.page
        .getByRole('application', { name: 'Map of 523 service points; the table below has the same' })
        .waitFor();
      await tab.page.getByLabel('Search').fill('переименован');
      await count(tab, '20 of 531');
      expect(await seriousFindings(tab)).toEqual([]);
    }),
);

browserTest('remarks are grouped, lead to their point, and are saved as a file without formulas', () =>
  signedIn(async (tab, page) => {
    const swapped = bars.slice(0, 30).map(({ itemId, placeInfo: { geoPoint, ...info } }) => ({
      itemId,
      placeInfo: { ...info, geoPoint: { lat: geoPoint?.lng, lng: geoPoint?.lat } },
    }));
    const formula = { itemId: '=1+1#', placeInfo: { address: 'Тверская, 1' } };
    await choose(tab, 'swapped.json', JSON.stringify([...swapped, formula, ...bars.slice(30)]));
    const preview = page.getByRole('region', { name: 'Preview: nothing has changed yet' });
    await preview.getByText('Service points whose latitude and longitude look swapped: 30').waitFor();
    await preview.getByText('Service points whose itemId cannot be a part of a path: 1').waitFor();
    await preview.getByText('Service points with the same name, type and address: 8').waitFor();
    const remarks = preview.getByRole('list', { name: 'Remarks COORDINATES_SWAPPED' }).getByRole('listitem');
    expect(await remarks.count()).toBe(10);
    expect(await remarks.first().textContent()).toMatch(
      /^element 1 000069302: placeInfo\.geoPoint: lat and lng look swapped: 37\.621588, 55\.765367 is 24\d\d km from/,
    );
    // Axe looks at what changes and remarks are shown beside, in each scheme and at each width.
    for (const [colorScheme, width] of [['light', 1360] as const, ['dark', 390] as const]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('region', { name: 'Map' }).scrollIntoViewIfNeeded();
      expect([colorScheme, width, await seriousFindings(tab)]).toEqual([colorScheme, width, []]);
      await expect.poll(() => page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1360, height: 900 });
    await remarks.first().getByRole('button', { name: '000069302' }).click();
    const map = page.getByRole('region', { name: 'Map' });
    await map.getByText(`Юнион Джек · ${bars[0]?.placeInfo.address} · 000069302`, { exact: true }).waitFor();
    // A point without coordinates that is not stored yet is nowhere to be shown.
    const notInPath = preview.getByRole('list', { name: 'Remarks ITEM_ID_NOT_IN_PATH' });
    expect(await notInPath.getByRole('button').count()).toBe(0);

    const saved = page.waitForEvent('download');
    await preview.getByRole('button', { name: 'Save the remarks as CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(1 + 10 + 5 + 1);
    expect(lines[0]).toBe('\uFEFFcode,row,itemId,description,points');
    expect(lines.at(-1)).toMatch(
      /^ITEM_ID_NOT_IN_PATH,element 31,"'=1\+1#","itemId: cannot be a part of a path/,
    );
    await preview.getByText(/^The file has 16 lines, .* are about 39\.$/).waitFor();
  }),
);

browserTest(
  'a CSV file that would remove most points says so, and removes them only when that is confirmed',
  () =>
    signedIn(async (tab, page) => {
      await choose(tab, 'three.csv', threeBars);
      const preview = page.getByRole('region', { name: 'Preview: nothing has changed yet' });
      await preview.getByText('The list would add 3 and keep 531 that it does not name.').waitFor();
      await preview.getByText('531 stored service points would stay').waitFor();
      expect(await preview.textContent()).not.toContain('confirmRemovals');
      await page.getByRole('button', { name: 'Send the list' }).click();
      const sent = page.getByRole('region', { name: 'The list you sent' });
      await sent.getByText('The list added 3 and kept 531 that it does not name.').waitFor();
      const held = /: added 3 and kept 531 that it does not name *Removals held/;
      await newestLists(tab, held, /: would add 3 and keep 531 that it does not name *Dry run/);

      // The overview shows the list that was sent, not the later dry run.
      await choose(tab, 'three.csv', threeBars);
      await newestLists(tab, /: would leave 3 unchanged and keep 531 .* *Dry run/, held);
      await openPage(tab, 'Overview');
      const last = page.getByRole('region', { name: 'Service points' });
      await expect.poll(() => last.textContent()).toMatch(/StatusRemovals held.*Added3.*Removals held531$/);

      await openPage(tab, 'Service points');
      await choose(tab, 'three.csv', threeBars);
      await page.getByLabel('Remove the 531 service points that the list does not name').check();
      await page.getByRole('button', { name: 'Send the list' }).click();
      await sent.getByText('The list left 3 unchanged and removed 531.', { exact: true }).waitFor();
      await count(tab, '3 of 3');
    }),
);

browserTest('a list that was sent before opens to its warning, its remarks and its errors', () =>
  signedIn(async (tab, page) => {
    const { partner } = running.service;
    const stored = Array.from({ length: 40 }, (_, n) => ({
      itemId: `s${n}`,
      placeInfo: { address: 'Арбат' },
    }));
    await finishedSession(partner, await request(partner, 'POST /places/sync', { places: stored }));
    const misspelt = { itemId: 's0', placeInfo: { address: 'Арбат', shedule: '10-22' } };
    const places = [misspelt, { itemId: 'wrong', placeInfo: {} }];
    await finishedSession(partner, await request(partner, 'POST /places/sync', { places }));
    const lists = page.getByRole('region', { name: 'Recent lists' });
    await shownLater(tab, lists.getByText('kept 39 that it does not name'));
    await lists
      .getByRole('button', { name: /^Details of the list/ })
      .first()
      .click();
    const opened = lists.getByRole('region', { name: /^Session / });
    await opened.getByText('39 stored service points stayed').waitFor();
    await opened.getByText('They are more than 50 % of all').waitFor();
    await opened
      .getByText('Service points with members that the service does not know and ignores: 1')
      .waitFor();
    await opened.getByText('element 1 s0: placeInfo.shedule: unknown, did you mean schedule?').waitFor();
    await opened.getByRole('row', { name: 'element 2 wrong placeInfo.address: required' }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await lists
      .getByRole('button', { name: /^Details of the list/ })
      .first()
      .click();
    await opened.waitFor({ state: 'detached' });
    const one = { places: [stored[0]], confirmRemovals: true };
    await finishedSession(partner, await request(partner, 'POST /places/sync', one));
  }),
);

browserTest('a list that Excel saved in Windows-1251 is stored with its letters, which are seen before', () =>
  signedIn(async (tab, page) => {
    // `Арбат` in Windows-1251
    const arbat = Uint8Array.from([0xc0, 0xf0, 0xe1, 0xe0, 0xf2]);
    const [before, after] = ['itemId;address;lat;lng\r\n\r\nw1;', ';55,75;37,6\r\nw2;;;\r\n'].map((text) =>
      Buffer.from(text),
    );
    await choose(tab, 'excel.csv', Buffer.concat([before ?? [], arbat, after ?? []] as Uint8Array[]));
    await page.getByText('2 service points, read as Windows-1251 because the file is not UTF-8').waitFor();
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
    await page.getByRole('region', { name: 'The list you sent' }).getByText('The list added 1').waitFor();
    const { body } = await request(running.service.partner, 'GET /places?limit=500');
    expect((body as { places: object[] }).places).toContainEqual({
      itemId: 'w1',
      placeInfo: { address: 'Арбат', geoPoint: { lat: 55.75, lng: 37.6 } },
    });
  }),
);

browserTest('a list is not sent before the preview of this very file is shown', () =>
  signedIn(async (tab, page) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let previews = 0;
    await page.route('**/places/sync/*', async (route) => {
      // The preview of the second file waits.
      if (previews === 2) await isReleased;
      await route.continue();
    });
    page.on('request', (asked) => {
      if (asked.method() === 'POST' && asked.url().endsWith('/places/sync')) previews += 1;
    });
    const send = page.getByRole('button', { name: 'Send the list' });
    await choose(tab, 'one.csv', 'itemId;address\n1;Арбат, 1\n');
    await page.getByText(/^The list would /).waitFor();
    expect(await send.isEnabled()).toBe(true);

    await choose(tab, 'two.csv', 'itemId;address\n1;Арбат, 1\n2;Арбат, 2\n');
    await page.getByText('Wait for the preview of what it would change.').waitFor();
    expect(await send.isDisabled()).toBe(true);
    expect(await seriousFindings(tab)).toEqual([]);
    release();
    await page.getByText(/^The list would /).waitFor();
    await page.getByText('Wait for the preview').waitFor({ state: 'detached' });
    expect([await send.isEnabled(), previews]).toEqual([true, 2]);
  }),
);

browserTest('what is wrong with a file is said before it is sent', () =>
  signedIn(async (tab, page) => {
    const alert = page.getByRole('alert');
    await choose(tab, 'list.xlsx', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00]));
    const workbook = 'The file is a workbook of a spreadsheet program. Open it there, save it as CSV';
    await alert.getByText(`list.xlsx: ${workbook}, and choose that file.`).waitFor();
    expect(await page.getByRole('button', { name: 'Send the list' }).count()).toBe(0);

    await choose(tab, 'typed.csv', 'itemId;address;Type\n1;Арбат, 1;бар\n');
    const columns =
      'These columns are unknown and are not read: Type. The known ones are itemId, name, address,';
    await alert.getByText(columns).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);

    await choose(tab, 'wrong.csv', 'itemId;address\n1;\n');
    const preview = page.getByRole('region', { name: 'Preview: nothing has changed yet' });
    await preview.getByText('Nothing is removed by a list whose every element is rejected').waitFor();
    expect(await page.getByLabel(/^Remove the/).count()).toBe(0);
  }),
);

browserTest('a check of a list that the network lost is repeated without choosing the file again', () =>
  signedIn(async (tab) => {
    const isStart = (url: URL) => url.pathname === '/places/sync';
    await tab.page.route(isStart, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await choose(tab, 'one.csv', 'itemId;address\n1;Арбат, 1\n');
    const failure = tab.page.getByRole('alert').filter({ hasText: 'The list could not be checked' });
    await failure.getByText('The service cannot be reached').waitFor();
    await tab.page.unroute(isStart);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByText(/^The list would /).waitFor();
  }),
);

/** Pages of 500 points are read one after the other, so more pages show no more than these. */
const manyPoints = isCi ? '10,000' : '1,200';

browserTest(`${manyPoints} points (10,000 in CI) are read, drawn and searched`, () =>
  signedIn(async (tab) => {
    const total = Number(manyPoints.replace(',', ''));
    const places = Array.from({ length: total }, (_, n) => ({
      itemId: `p${n}`,
      placeInfo: { address: `Улица ${n}`, geoPoint: { lat: 55 + (n % 100) / 100, lng: 37 + n / 10_000 } },
    }));
    await choose(tab, 'many.json', JSON.stringify(places));
    await tab.page.getByRole('button', { name: 'Send the list' }).click();
    await count(tab, `${manyPoints} of ${manyPoints}`, 60_000);
    await tab.page.getByLabel('Search').fill('улица 1199');
    await count(tab, `1 of ${manyPoints}`);
  }),
);
