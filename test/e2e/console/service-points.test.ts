import { beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { moscowBars } from '../../../ops/scenario/data/moscow-bars.ts';
import {
  browserTest,
  openPage,
  seriousFindings,
  shownLater,
  signIn,
  type Tab,
} from '../../support/browser.ts';
import { chooseFile, consoleFixture, returnTo, savedLines } from '../../support/console.ts';
import { isCi } from '../../support/property-runs.ts';
import { finishedSession } from '../../support/service.ts';

const { running, signedIn, visit, visitAt } = consoleFixture('/service-points');
const bars = moscowBars();
beforeAll(() => sync({ places: bars }));

async function sync(list: object): Promise<void> {
  const { partner } = running.service;
  await finishedSession(partner, await request(partner, 'POST /places/sync', list));
}

async function count({ page }: Tab, text: string, timeout = 30_000): Promise<void> {
  await region(page, 'Service points').getByText(text, { exact: true }).waitFor({ timeout });
}

function region(page: Tab['page'], name: string | RegExp) {
  return page.getByRole('region', { name });
}

const previewTitle = 'Preview: nothing has changed yet';

function pointAt(itemId: string) {
  return { itemId, placeInfo: { address: 'Арбат, 1' } };
}

/** Waits until the two newest lists match the texts. */
async function newestLists(tab: Tab, ...expected: [RegExp, RegExp]): Promise<void> {
  const rows = region(tab.page, 'Recent lists').locator('time').locator('xpath=../..');
  for (const [n, hasText] of expected.entries()) await shownLater(tab, rows.nth(n).filter({ hasText }));
}

browserTest(
  'a list of 533 points with 40 changes is previewed, sent, and seen on the map and in the table',
  () =>
    visit(async (tab, page) => {
      for (const status of [400, 429]) {
        const json = { status: 'REFUSED', errors: [`requests: ${status}`] };
        await page.route(/\/places\?.*cursor=/, (route) => route.fulfill({ status, json }), { times: 1 });
      }
      await signIn(tab, running.service.endpoints);
      for (const status of [429, 400]) {
        await page.getByText(`requests: ${status}`).waitFor();
        await returnTo(page);
        await page.getByRole('button', { name: 'Try again' }).click();
      }
      await count(tab, '533 of 533');
      await returnTo(page);
      const renamed = bars
        .slice(0, 20)
        .map((bar) => ({ ...bar, placeInfo: { ...bar.placeInfo, name: 'Переименован' } }));
      const fresh = Array.from({ length: 8 }, (_, n) => pointAt(`new-${n}`));
      const wrong = bars.slice(20, 22).map(({ itemId }) => ({ itemId, placeInfo: { address: '' } }));
      const places = [...renamed, ...wrong, ...bars.slice(32), ...fresh];
      await chooseFile(page, 'bars.json', JSON.stringify({ places }));
      const preview = region(page, previewTitle);
      await preview
        .getByText('The list would add 8, update 20, leave 501 unchanged, remove 10 and reject 2.')
        .waitFor();
      const changes = preview.getByRole('table', { name: 'Changes' }).getByRole('row');
      expect((await changes.allTextContents()).filter((row) => row.startsWith('− removed'))).toHaveLength(10);
      await preview.getByRole('button', { name: 'Page 2', exact: true }).click();
      const first = `Переименован · ${bars[0]?.placeInfo.address} · ${bars[0]?.itemId}`;
      expect(await changes.nth(1).textContent()).toBe(`~ updated${first}name`);
      await preview.getByRole('button', { name: 'Page 4', exact: true }).click();
      expect(await changes.nth(8).textContent()).toBe('+ addedАрбат, 1 · new-7');
      await preview.getByRole('button', { name: 'Page 2', exact: true }).click();
      await preview.getByRole('button', { name: first }).click();
      const previewMap = page.getByRole('application', { name: /named below/ });
      await previewMap.getByText(`updated: ${first}`, { exact: true }).waitFor();
      const error = `element 21${bars[20]?.itemId}placeInfo.address: must not be empty`;
      await expect.poll(() => preview.getByRole('row').allTextContents()).toContain(error);
      expect(await savedLines(page, 'Save the errors as CSV')).toHaveLength(3);
      await count(tab, '533 of 533');
      // The first page is read again only after a cursor is refused for good, and by no return to the tab.
      const asked = tab.urls.filter((url) => url.includes('/places?'));
      expect(asked.map((url) => url.includes('cursor='))).toEqual([false, true, true, false, true]);

      await page.getByRole('button', { name: 'Send the list' }).click();
      await region(page, 'The list you sent')
        .getByText('The list added 8, updated 20, left 501 unchanged, removed 10 and rejected 2.')
        .waitFor();
      await count(tab, '531 of 531');
      await page.getByLabel('Search').fill('переименован');
      await count(tab, '20 of 531');
      const { lat, lng } = bars[0]?.placeInfo.geoPoint ?? {};
      await page
        .getByRole('row', { name: `${bars[0]?.itemId} Переименован` })
        .getByRole('button', { name: `${lat}, ${lng}` })
        .click();
      const map = page.getByRole('application', {
        name: 'Map of 20 stored service points; the table has the same',
      });
      await map.getByText(first, { exact: true }).waitFor();
      // Another search shows what it finds, and not the point that was asked for before.
      await page.getByLabel('Search').fill('new-');
      await page.getByLabel('Search').fill('бар');
      await page.locator('.leaflet-popup').waitFor({ state: 'detached' });
      expect(await seriousFindings(tab)).toEqual([]);
    }),
);

browserTest(
  'a file of Excel is read with its letters, and removes most points only when that is confirmed',
  () =>
    signedIn(async (tab, page) => {
      // `Арбат` in Windows-1251
      const arbat = Buffer.from([0xc0, 0xf0, 0xe1, 0xe0, 0xf2]);
      const rows = ['1', '2', '3'].flatMap((id) => [Buffer.from(`${id};`), arbat, Buffer.from(';\r\n')]);
      const three = Buffer.concat([Buffer.from('itemId;address;City\r\n'), ...rows] as Uint8Array[]);
      await chooseFile(page, 'three.csv', three);
      await page.getByText('3 service points, read as Windows-1251 because the file is not UTF-8').waitFor();
      await page.getByText('These columns are unknown and are not read: City.').waitFor();
      await page.getByText('The list would add 3 and keep 531 that it does not name.').waitFor();
      await page.getByRole('button', { name: 'Send the list' }).click();
      const sent = region(page, 'The list you sent');
      await sent.getByText('The list added 3 and kept 531 that it does not name.').waitFor();
      const held = /: added 3 and kept 531 that it does not name *Removals held/;
      await newestLists(tab, held, /: would add 3 and keep 531 that it does not name *Dry run/);

      // The overview shows the list that was sent, not the later dry run.
      await chooseFile(page, 'three.csv', three);
      await newestLists(tab, /: would leave 3 unchanged and keep 531 .* *Dry run/, held);
      await openPage(tab, 'Overview');
      const last = region(page, 'Service points');
      await expect.poll(() => last.textContent()).toMatch(held);

      await openPage(tab, 'Service points');
      await chooseFile(page, 'three.csv', three);
      await page.getByLabel('Remove the 531 service points that the list does not name').check();
      await page.getByRole('button', { name: 'Send the list' }).click();
      await sent.getByText('The list left 3 unchanged and removed 531.', { exact: true }).waitFor();
      await count(tab, '3 of 3');
      const { body } = await request(running.service.partner, 'GET /places');
      expect(body).toMatchObject({ places: [{ itemId: '1', placeInfo: { address: 'Арбат' } }, {}, {}] });
    }),
);

browserTest('a list of a program is seen in the table, and opens to its warning, remarks and errors', () =>
  visitAt('/check-ins', async (tab, page) => {
    await Promise.all([page.waitForResponse(/\/places\?/), signIn(tab, running.service.endpoints)]);
    await sync({ places: Array.from({ length: 40 }, (_, n) => pointAt(`s${n}`)), confirmRemovals: true });
    await openPage(tab, 'Service points');
    await count(tab, '40 of 40');
    await openPage(tab, 'Keys');
    const misspelt = { itemId: 's0', placeInfo: { address: 'Арбат', shedule: '10-22' } };
    await sync({ places: [misspelt, { itemId: 'wrong', placeInfo: {} }, pointAt('new')] });
    await openPage(tab, 'Service points');
    const lists = region(page, 'Recent lists');
    await shownLater(tab, lists.getByText('kept 39 that it does not name'));
    await count(tab, '41 of 41');
    await openPage(tab, 'Keys');
    await openPage(tab, 'Service points');
    const details = lists.getByRole('button', { name: /^Details of the list/ }).first();
    await details.click();
    const opened = lists.getByRole('region', { name: /^Session / });
    for (const text of [
      '39 stored service points stayed',
      'They are more than 50 % of all',
      'element 1 s0: placeInfo.shedule: unknown, did you mean schedule?',
    ])
      await opened.getByText(text).waitFor();
    await opened.getByRole('row', { name: 'element 2 wrong placeInfo.address: required' }).waitFor();
    // A session that has finished is read once, and the points once before and once after each list.
    await returnTo(page);
    expect(await seriousFindings(tab)).toEqual([]);
    await details.click();
    await opened.waitFor({ state: 'detached' });
    expect(tab.urls.filter((url) => /\/places\/sync\/./.test(url))).toHaveLength(1);
    expect(tab.urls.filter((url) => url.includes('/places?'))).toHaveLength(3);
    await sync({ places: [pointAt('s0')], confirmRemovals: true });
  }),
);

browserTest('a list is not sent before the preview of this very file is shown', () =>
  signedIn(async (_tab, page) => {
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
    await chooseFile(page, 'one.csv', 'itemId;address\n1;Арбат, 1\n');
    await page.getByText(/^The list would /).waitFor();
    expect(await send.isEnabled()).toBe(true);

    await chooseFile(page, 'two.csv', 'itemId;address\n1;Арбат, 1\n2;Арбат, 2\n');
    await page.getByText('Wait for the preview of what it would change.').waitFor();
    expect(await send.isDisabled()).toBe(true);
    release();
    await page.getByText(/^The list would /).waitFor();
    await page.getByText('Wait for the preview').waitFor({ state: 'detached' });
    expect([await send.isEnabled(), previews]).toEqual([true, 2]);
  }),
);

browserTest('a file that cannot be read is refused, and a check that the network lost is repeated', () =>
  signedIn(async (_tab, page) => {
    await chooseFile(page, 'list.xlsx', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00]));
    const workbook = 'The file is a workbook of a spreadsheet program. Open it there, save it as CSV';
    await page.getByRole('alert').getByText(`list.xlsx: ${workbook}, and choose that file.`).waitFor();
    expect(await page.getByRole('button', { name: 'Send the list' }).count()).toBe(0);

    const isStart = (url: URL) => url.pathname === '/places/sync';
    await page.route(isStart, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await chooseFile(page, 'one.csv', 'itemId;address\n1;Арбат, 1\n');
    const failure = page.getByRole('alert').filter({ hasText: 'The list could not be checked' });
    await failure.getByText('The service cannot be reached').waitFor();
    await page.unroute(isStart);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^The list would /).waitFor();
  }),
);

// Pages of 500 points are read one after the other, so only many of them show more than the first test.
if (isCi)
  browserTest('10,000 points (in CI only) are read, shown and searched', () =>
    signedIn(async (tab, page) => {
      const places = Array.from({ length: 10_000 }, (_, n) => pointAt(`p${n}`));
      await chooseFile(page, 'many.json', JSON.stringify(places));
      await page.getByRole('button', { name: 'Send the list' }).click();
      await count(tab, '10,000 of 10,000', 60_000);
      await page.getByLabel('Search').fill('арбат p9199');
      await count(tab, '1 of 10,000');
    }),
  );
