import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, seriousFindings, shownLater, signIn } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { running, visit } = consoleFixture('/callbacks?tab=endpoint');

browserTest('rule 56: a receiver that checks no signature is told what to change', () =>
  visit(async (tab, page) => {
    const { partner, endpoints } = running.service;
    await signIn(tab, endpoints);
    await page.getByText('not with this address and these secrets').waitFor();
    await page.getByRole('button', { name: 'Examine' }).click();
    await page.getByText('7 of 14 checks passed, 7 failed.').waitFor();
    const checks = page.getByRole('table', { name: 'Checks' });
    const wrong = checks.getByRole('row', { name: 'SIGNATURE_WRONG' });
    await wrong.getByText('failed', { exact: true }).waitFor();
    await wrong.getByText(/200, should be 4xx; \d+ ms/).waitFor();
    await wrong.getByText('compare the signature, in constant time').waitFor();
    await page.getByText(/: failed SIGNATURE_MISSING, .*BASIC_MISSING$/).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);

    await request({ baseUrl: endpoints.partner?.url ?? '' }, 'POST /behave', { status: 503 });
    await page.getByRole('button', { name: 'Examine' }).click();
    await page.getByText('0 of 14 checks passed, 1 failed. 13 could be better or were not judged.').waitFor();

    // Other secrets were not examined, so what was found with the earlier ones goes.
    await request(partner, 'POST /callbacks/endpoint/rotate');
    await shownLater(tab, page.getByText('not with this address and these secrets'));
    expect(await checks.count()).toBe(0);
  }),
);
