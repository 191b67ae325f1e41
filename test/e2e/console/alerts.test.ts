import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, expectFits, seriousFindings, signIn } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { newKey, running, visit } = consoleFixture('/callbacks?tab=alerts');

browserTest('rule 55: alerts are set without their secret being kept, tested, edited and deleted', () =>
  visit(async (tab, page) => {
    const { partner, endpoints } = running.service;
    const receiver = { baseUrl: endpoints.partner?.url ?? '' };
    await signIn(tab, endpoints);
    await page.getByRole('button', { name: 'Set alerts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Required', { exact: true }).waitFor();
    await dialog.getByLabel('Address').fill('ftp://chat.example');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be https').waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    const chosen = await dialog
      .getByRole('checkbox', { checked: true })
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).sort());
    await dialog.getByLabel('Address').fill(`${receiver.baseUrl}/callback`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('ENABLED', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('HTTP 200').waitFor();
    await page.getByText('webhook-signature: v1,').waitFor();
    expect(await seriousFindings(tab)).toEqual([]);

    // The kinds that are chosen at first are those that the service takes if none is named.
    const { body } = await request(partner, 'PUT /alerts', { url: `${receiver.baseUrl}/callback` });
    expect([...(body as { kinds: string[] }).kinds].sort()).toEqual(chosen);

    await page.getByRole('button', { name: 'Edit' }).click();
    for (const kind of chosen.slice(1)) await dialog.locator(`input[value="${kind}"]`).uncheck();
    await dialog.getByLabel('Key created').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Callbacks failed, Key created', { exact: true }).waitFor();

    const observer = await newKey({ role: 'observer' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(tab, observer);
    await page.getByText(new URL(receiver.baseUrl).origin, { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await expectFits(tab, 390);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Sign out' }).click();

    await signIn(tab, endpoints);
    await page.getByRole('button', { name: 'Delete the alerts' }).click();
    await dialog.getByRole('button', { name: 'Delete the alerts' }).click();
    await page.getByText('No alerts are set').waitFor();
  }),
);

browserTest('rule 55: a dead address of alerts is seen', () =>
  visit(async (tab, page) => {
    const { partner, endpoints } = running.service;
    const receiver = { baseUrl: endpoints.partner?.url ?? '' };
    const kinds = ['promotion.created'];
    await request(partner, 'PUT /alerts', { url: `${receiver.baseUrl}/callback`, kinds });
    await request(receiver, 'POST /behave', { status: 410 });
    // For some seconds the fan-out may still know that the test before this one has deleted the alerts.
    const promotion = { name: 'Two for one', startDate: '2026-01-01T00:00:00+03' };
    const statusAfterEvent = async () => {
      await request(partner, 'POST /promo/v1/create', promotion);
      return ((await request(partner, 'GET /alerts')).body as { status: string }).status;
    };
    await expect.poll(statusAfterEvent, { interval: 2_000, timeout: 60_000 }).toBe('DISABLED');
    await signIn(tab, endpoints);
    await page.getByText('DISABLED', { exact: true }).waitFor();
    await page.getByText('410').waitFor();
    await page.getByRole('button', { name: 'Edit and enable' }).waitFor();
  }),
);
