import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { request } from '../../../ops/scenario/client.ts';
import { moscowBars } from '../../../ops/scenario/data/moscow-bars.ts';
import { inTab, openPage, pageLinks, signIn } from '../../support/browser.ts';
import { finishedSession, startService } from '../../support/service.ts';

// Writes a picture of each page to docs/console. Run `node test/e2e/console/screenshots.ts` after `npm run build`.

const folder = 'docs/console';
mkdirSync(folder, { recursive: true });

// With the limits that a partner has, and not those of tests.
const service = await startService({ limits: {} });
const { partner, endpoints } = service;
const places = moscowBars();
await finishedSession(partner, await request(partner, 'POST /places/sync', { places }));
const placeId = places[0]?.itemId ?? '';
for (const cardNumber of ['9643907500000012', '9643907500000020']) {
  await request(partner, 'POST /sandbox/check-ins', { offerId: endpoints.offerId, placeId, cardNumber });
}
await request(partner, 'POST /keys', { role: 'cash-desk', label: 'Касса 2', placeIds: [placeId] });
await request(partner, 'POST /promo/v1/create', {
  name: 'Два по цене одного',
  startDate: '2026-05-01T00:00:00+03',
  description: '<p>Каждый <b>вторник</b></p>',
});
const msisdn = Array.from({ length: 1_000 }, (_, n) => 79_000_000_000 + n);
await request(service.wallet, 'PUT /wallet/recipients', { registered: msisdn.slice(0, 821) });
await request(partner, 'POST /push/bulk/single', {
  pushType: 'PROMO',
  payload: { title: 'Двойные баллы за первый заказ', message: 'Только на этой неделе.' },
  msisdn,
});

/** Pages show more once these things are done or awaited. */
const acts: Record<string, (page: Page) => Promise<void>> = {
  'Service points': async (page) => {
    await page.getByText('533 of 533', { exact: true }).waitFor();
    await page.getByText('533 of 533 stored service points have a position').scrollIntoViewIfNeeded();
  },
  'Check-ins': async (page) => {
    await page.getByRole('combobox', { name: 'Service point' }).fill(placeId);
    await page.getByRole('option').first().click();
    await page.getByText('9643907500000012').first().waitFor();
  },
  Messages: async (page) => {
    await page.getByLabel('Title').fill('Ваша карта в кошельке');
    await page.getByLabel('Message', { exact: true }).fill('Двойные баллы за первый заказ в любом из баров.');
    await page.getByLabel('Number of the phone').fill('79005550117');
    await page.getByRole('button', { name: 'Put phone' }).click();
    await page.getByRole('button', { name: 'Add the phone' }).click();
    await page.getByRole('button', { name: 'Send to 1 number' }).click();
    await page.getByRole('button', { name: /Tap to open the card/ }).click();
    await page.getByText('No more states follow').waitFor();
    await page.getByRole('button', { name: 'Report of' }).click();
    await page.getByRole('list', { name: 'Opened by hour' }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
};

await inTab(`${endpoints.baseUrl}/console`, async (tab) => {
  await tab.page.screenshot({ path: `${folder}/sign-in.png` });
  await signIn(tab, endpoints);
  await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  for (const name of await pageLinks(tab).allTextContents()) {
    await openPage(tab, name);
    await acts[name]?.(tab.page);
    const file = name.toLowerCase().replaceAll(' ', '-');
    await tab.page.screenshot({ path: `${folder}/${file}.png` });
    console.log(`Wrote ${folder}/${file}.png`);
  }
});
await service.stop();
process.exit(0);
