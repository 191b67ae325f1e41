import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, seriousFindings } from '../../support/browser.ts';
import { closeWhileSending, consoleFixture, storedSecret } from '../../support/console.ts';

const { running, signedIn } = consoleFixture('/callbacks?tab=alerts');

browserTest('rule 55: alerts are set without their secret being kept, tested, edited and deleted', () =>
  signedIn(async (tab, page) => {
    const { partner, endpoints } = running.service;
    const url = `${endpoints.partner?.url}/callback`;
    await page.getByRole('button', { name: 'Set alerts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Required', { exact: true }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    const chosen = await dialog
      .getByRole('checkbox', { checked: true })
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).sort());
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const secret = await storedSecret(page, /^whsec_/);
    await page.getByText('ENABLED', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('HTTP 200').waitFor();
    await page.getByText('webhook-signature: v1,').waitFor();

    // The kinds that are chosen at first are those that the service takes if none is named.
    const { body } = await request(partner, 'PUT /alerts', { url });
    expect([...(body as { kinds: string[] }).kinds].sort()).toEqual(chosen);

    const edit = () => page.getByRole('button', { name: 'Edit' }).click();
    await edit();
    for (const kind of chosen.slice(1)) await dialog.locator(`input[value="${kind}"]`).uncheck();
    await dialog.getByLabel('Key created').check();
    // A late response shows its secret, and leaves the dialog open that was opened since.
    await closeWhileSending(page, '**/alerts', 'Save', undefined, edit);
    const stored = page.getByRole('button', { name: 'I have stored it' });
    await stored.waitFor();
    // Escape closes neither the secret, which nobody has stored, nor what was opened below it.
    await page.keyboard.press('Escape');
    await stored.click();
    await stored.waitFor({ state: 'detached' });
    await dialog.getByLabel('Address').fill(url);
    await page.keyboard.press('Escape');
    await page.getByText('Callbacks failed, Key created', { exact: true }).waitFor();
    expect(await page.getByText('This was sent:').count()).toBe(0);

    await page.getByRole('button', { name: 'Delete the alerts' }).click();
    await dialog.getByRole('button', { name: 'Delete the alerts' }).click();
    await page.getByText('No alerts are set').waitFor();
    await page.locator('h1:focus').waitFor();
  }),
);
