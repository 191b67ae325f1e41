import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, seriousFindings, shownLater, signIn } from '../../support/browser.ts';
import { consoleFixture, holdRequests } from '../../support/console.ts';

const { newKey, running, signedIn, visit } = consoleFixture('/promotions');

const description =
  '<h2>Кофе</h2><p onclick="steal()">К любому заказу</p><script>document.title = "run"</script><img src="x" onerror="steal()">';

browserTest('a promotion is created and edited by two; of its description, no script survives or runs', () =>
  signedIn(async (tab, page) => {
    await page.getByText('No promotions yet').waitFor();
    await page.getByRole('button', { name: 'Create a promotion' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    const from = page.getByLabel('From');
    const problem = page.getByText('Required', { exact: true });
    expect(await problem.count()).toBe(2);
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Name').fill('Кофе в подарок');
    await from.fill('2026-06-01T10:00');
    expect(await problem.count()).toBe(0);
    await page.getByLabel('Description').fill(description);
    // A user who looks something up on another page finds the form as it was.
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('link', { name: 'Promotions' }).click();
    await page.getByRole('button', { name: 'Create a promotion' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Кофе в подарок');
    await page.getByRole('button', { name: 'Create' }).click();

    await page.getByRole('heading', { level: 1, name: 'Promotion 1' }).waitFor();
    await page.getByRole('button', { name: 'All promotions' }).click();
    await page.getByRole('button', { name: 'Create a promotion' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    await page.goBack();
    await page.goBack();
    const frame = page.frameLocator('iframe[title=Description]');
    await frame.getByText('К любому заказу').waitFor();
    const cleaned = '<h2>Кофе</h2><p>К любому заказу</p>';
    expect(await frame.locator('body').innerHTML()).toBe(cleaned);
    expect(await page.getByLabel('Description', { exact: true }).first().inputValue()).toBe(cleaned);
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
    expect(await seriousFindings(tab)).toEqual([]);

    await page.getByLabel('Time zone of both dates').selectOption('+10');
    await page.getByLabel('To (empty: no end)').fill('2026-06-01T09:59');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be after the start', { exact: true }).waitFor();
    await page.getByLabel('To (empty: no end)').fill('');
    await page.getByLabel('Discount').fill('15 %');
    // A draft survives a look at another page.
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.goBack();
    await page.getByText('no end', { exact: true }).waitFor();
    expect(await page.getByLabel('Discount').inputValue()).toBe('15 %');
    const other = { promoId: 1, endDate: '2026-07-01T00:00:00+10' };
    await request(running.service.partner, 'POST /promo/v1/update', other);
    await shownLater(tab, page.getByText('1 Jul 2026, 00:00 UTC+10'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('1 Jun 2026, 10:00 UTC+10').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing to save').waitFor();
    await page.route('**/promo/v1/update', (route) => route.abort(), { times: 1 });
    await page.getByLabel('Discount').fill('16 %');
    expect(await page.getByText('Nothing to save').count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It may have been done. See whether it was before you try again').waitFor();
    // The form keeps the saved fields even if they cannot be read again, and does not send them again.
    await page.route('**/promo/v1/details?*', (route) => route.abort());
    await page.getByLabel('Discount').fill('20 %');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This could not be loaded').waitFor();
    expect(await page.getByLabel('Discount').inputValue()).toBe('20 %');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing to save').waitFor();
    await page.unroute('**/promo/v1/details?*');

    // The response does not save, or remove, what the user has typed since the request.
    const release = await holdRequests(page, '**/promo/v1/update');
    await page.getByLabel('Discount').fill('21 %');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Discount').fill('22 %');
    const saved = page.waitForResponse('**/promo/v1/update');
    release();
    await (await saved).finished();
    await page.getByText('21 %').waitFor();
    expect(await page.getByText('Saved.').count()).toBe(0);
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.goBack();
    expect(await page.getByLabel('Discount').inputValue()).toBe('22 %');
    const { body } = await request(running.service.partner, 'GET /promo/v1/details?promoId=1');
    expect(body).toMatchObject({
      name: 'Кофе в подарок',
      startDate: '2026-06-01T10:00:00+10',
      endDate: other.endDate,
      discount: '21 %',
      description: cleaned,
    });
  }),
);

browserTest('a promotion whose answer was lost is created once, however often that is repeated', () =>
  signedIn(async ({ page }) => {
    await page.getByRole('button', { name: 'Create a promotion' }).click();
    await page.getByLabel('Name').fill('Второй кофе');
    await page.getByLabel('From').fill('2026-06-01T10:00');
    const created: unknown[] = [];
    await page.route('**/promo/v1/create', async (route) => {
      const response = await route.fetch();
      created.push(await response.json());
      await (created.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('It may have been done. See whether it was before you try again').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: /^Promotion \d+$/ }).waitFor();
    expect(created).toHaveLength(2);
    expect(created[1]).toEqual(created[0]);
  }),
);

browserTest(
  'a new promotion stays in its form after a failure, unless another one was begun, and not while its response is under way',
  () =>
    signedIn(async ({ page }) => {
      const open = () => page.getByRole('button', { name: 'Create a promotion' }).click();
      const lookAtOthers = () => page.getByRole('button', { name: 'All promotions' }).click();
      const name = () => page.getByLabel('Name').inputValue();
      await open();
      await page.getByLabel('Name').fill('Третий кофе');
      await page.getByLabel('From').fill('2026-06-01T10:00');
      await page.route('**/promo/v1/create', (route) => route.abort());
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('It may have been done. See whether it was before you try again').waitFor();
      await lookAtOthers();
      await open();
      expect(await name()).toBe('Третий кофе');
      await page.unroute('**/promo/v1/create');
      /** Sends the form, which fails when the function is called that it returns, and opens the form again. */
      const leaveWhileSending = async () => {
        const fail = await holdRequests(page, '**/promo/v1/create', (route) => route.abort());
        await page.getByRole('button', { name: 'Create' }).click();
        await lookAtOthers();
        await open();
        expect(await name()).toBe('');
        return fail;
      };
      const fail = await leaveWhileSending();
      await lookAtOthers();
      fail();
      const kept = async () => {
        await open();
        const typed = await name();
        await lookAtOthers();
        return typed;
      };
      await expect.poll(kept, { timeout: 20_000 }).toBe('Третий кофе');
      await open();
      const failAgain = await leaveWhileSending();
      await page.getByLabel('Name').fill('Четвёртый кофе');
      await lookAtOthers();
      const reread = page.waitForResponse('**/promo/v1/all*');
      failAgain();
      await (await reread).finished();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      await open();
      expect(await name()).toBe('Четвёртый кофе');
    }),
);

browserTest('promotions are listed page by page, and an observer reads them', () =>
  visit(async (tab, page) => {
    const create = (name: string, startDate: string) =>
      request(running.service.partner, 'POST /promo/v1/create', { name, startDate });
    for (let day = 10; day < 27; day += 1) await create(`Будущая ${day}`, `2099-01-${day}T00:00:00+03`);
    await create(`Идущая ${'и'.repeat(140)}`, '2026-01-01T00:00:00+03');
    await signIn(tab, await newKey({ role: 'observer' }));
    await page.getByRole('row', { name: /Будущая 26 planned 26 Jan 2099, 00:00 UTC\+03 no end/ }).waitFor();
    await page.getByRole('button', { name: 'next page' }).click();
    await page.getByText('Идущая').waitFor();
    const status = page.getByText('active', { exact: true }).first();
    expect(await status.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await page.getByRole('button', { name: 'Create a promotion' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Идущая' }).click();
    await page.getByText(/^NameИдущая/).waitFor();
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual(['All promotions']);
    expect(await page.getByRole('textbox').count()).toBe(0);
  }),
);
