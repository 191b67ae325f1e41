import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, expectFits, seriousFindings, signIn } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { newKey, running, visit } = consoleFixture('/events');

browserTest('an observer reads what changed in the account, page by page, and of one kind', () =>
  visit(async (tab, page) => {
    const { partner } = running.service;
    const observer = await newKey({ role: 'observer' });
    for (let switched = 0; switched < 12; switched += 1) {
      await request(partner, 'POST /callbacks/endpoint/disable');
      await request(partner, 'POST /callbacks/endpoint/enable');
    }
    await signIn(tab, observer);
    const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
    const row = rows.filter({ hasText: 'Endpoint disabled' }).first();
    await row.getByText(running.service.endpoints.login, { exact: true }).waitFor();
    expect(await rows.count()).toBe(21);
    await page.getByRole('button', { name: 'Older' }).click();
    await rows.filter({ hasText: 'role observer' }).waitFor();
    expect(await rows.count()).toBe(7);

    await page.getByLabel('Kind').selectOption('key.created');
    await page.waitForURL('**/events?kind=key.created');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Kind').selectOption('list.held');
    await page.getByText('There is no such event.').waitFor();
    await page.getByLabel('Kind').selectOption('');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('list', { name: 'Events' }).getByText('Endpoint enabled').first().waitFor();
    await expectFits(tab, 390);
    expect(await seriousFindings(tab)).toEqual([]);
  }),
);
