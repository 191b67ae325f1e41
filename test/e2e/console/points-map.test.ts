import { beforeAll, expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { moscowBars } from '../../../ops/scenario/data/moscow-bars.ts';
import { browserTest, seriousFindings, signIn, type Tab } from '../../support/browser.ts';
import { chooseFile, consoleFixture, savedLines } from '../../support/console.ts';
import { finishedSession } from '../../support/service.ts';

const { running, signedIn, visit } = consoleFixture('/service-points');
const bars = moscowBars();
beforeAll(async () => {
  const { partner } = running.service;
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places: bars }));
});

function region(page: Tab['page'], name: string) {
  return page.getByRole('region', { name });
}

browserTest(
  'remarks are grouped and lead to their points; they and errors are saved as files without formulas',
  () =>
    signedIn(async (tab, page) => {
      const swapped = bars.slice(0, 30).map(({ itemId, placeInfo: { geoPoint, ...info } }) => ({
        itemId,
        placeInfo: { ...info, geoPoint: { lat: geoPoint?.lng, lng: geoPoint?.lat } },
      }));
      const hash = { itemId: '1#', placeInfo: { address: 'Тверская, 1' } };
      const formula = { itemId: '=1+1', placeInfo: { address: '' } };
      await chooseFile(page, 'swapped.json', JSON.stringify([...swapped, hash, formula, ...bars.slice(30)]));
      const preview = region(page, 'Preview: nothing has changed yet');
      await preview.getByText('COORDINATES_SWAPPED: 30 service points').waitFor();
      await preview.getByText('ITEM_ID_NOT_IN_PATH: 1 service point').waitFor();
      const remarks = preview
        .getByRole('list', { name: 'Remarks COORDINATES_SWAPPED' })
        .getByRole('listitem');
      expect(await remarks.count()).toBe(10);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await seriousFindings(tab)).toEqual([]);
      await page.setViewportSize({ width: 1360, height: 900 });
      expect(await remarks.first().textContent()).toMatch(/^element 1 000069302: /);
      await preview.getByText('The service names 16 of these 39 points.').waitFor();
      await remarks.first().getByRole('button', { name: '000069302' }).click();
      await page
        .getByRole('application', { name: /named below/ })
        .getByText('Юнион Джек')
        .waitFor();
      const saved = await savedLines(page, 'Save the remarks as CSV');
      expect([saved[0], saved.length]).toEqual(['\uFEFFcode,row,itemId,description', 17]);
      expect(saved).toContainEqual(expect.stringMatching(/^COORDINATES_SWAPPED,element 1,000069302,/));
      expect(await savedLines(page, 'Save the errors as CSV')).toEqual([
        '\uFEFFrow,itemId,description,place',
        `element 32,"'=1+1",placeInfo.address: must not be empty,"{""itemId"":""=1+1"",""placeInfo"":{""address"":""""}}"`,
      ]);
    }),
);

browserTest('the map has streets where the stage has an address for them', () =>
  visit(async (tab, page) => {
    const mapTiles = { url: 'https://tiles.test/{z}/{x}/{y}.png', attribution: '© <b>Tiles</b>' };
    await page.route('**/console/service-points', async (route) => {
      const response = await route.fetch();
      const settings = JSON.stringify({ stage: 'dev', wallet: 'simulated', mapTiles });
      const content = `content="${settings.replaceAll('"', '&quot;')}"`;
      const body = (await response.text()).replace(/(?<=name="console-settings" )content="[^"]*"/, content);
      await route.fulfill({ response, body });
    });
    const tile = page.waitForRequest(/^https:\/\/tiles\.test\/\d+\/\d+\/\d+\.png$/);
    await page.route('https://tiles.test/**', (route) => route.fulfill({ status: 204 }));
    await page.reload();
    await signIn(tab, running.service.endpoints);
    await tile;
    await page
      .getByRole('application', { name: /stored service points/ })
      .getByText('© Tiles')
      .waitFor();
  }),
);
