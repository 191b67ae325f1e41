import { expect } from 'vitest';
import { request } from '../../../ops/scenario/client.ts';
import { browserTest, shownLater } from '../../support/browser.ts';
import { chooseFile, consoleFixture } from '../../support/console.ts';
import { finishedSession } from '../../support/service.ts';

const { running, signedIn } = consoleFixture('/service-points');

browserTest('of two files that are chosen the later one is shown, though it was read before the other', () =>
  signedIn(async ({ problems }, page) => {
    await page.evaluate(() => {
      const read = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = async function () {
        if (this.name === 'slow.csv')
          await new Promise((resolve) => addEventListener('slow file', resolve, { once: true }));
        if (this.name === 'folder.csv') throw new DOMException('a folder', 'NotReadableError');
        return read.call(this);
      };
    });
    const choose = (name: string) => chooseFile(page, name, 'itemId;address\nb1;Arbat 1');
    const send = page.getByRole('button', { name: 'Send the list' });
    await choose('fast.csv');
    await send.waitFor();
    await choose('slow.csv');
    expect(await send.count()).toBe(0);
    await choose('fast.csv');
    await page.getByText('The list would add 1').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('slow file')));
    await send.dblclick();
    await page.getByText('The list added 1').waitFor();
    const { body } = await request(running.service.partner, 'GET /places/sync');
    const { sessions } = body as { sessions: { dryRun?: true }[] };
    expect(sessions.filter(({ dryRun }) => !dryRun)).toHaveLength(1);
    expect(await page.getByText('slow.csv').count()).toBe(0);
    await choose('folder.csv');
    await page.getByText('folder.csv: it cannot be read. Choose it again.').waitFor();
    expect(problems).toEqual([]);
  }),
);

async function sync(many: number): Promise<void> {
  const { partner } = running.service;
  const place = (n: number) => ({ itemId: `b${n}`, placeInfo: { address: 'Арбат, 1' } });
  const places = Array.from({ length: many }, (_, n) => place(n));
  await finishedSession(partner, await request(partner, 'POST /places/sync', { places }));
}

browserTest(
  'a file is checked again, and its removals confirmed again, after another list has changed the points',
  () =>
    signedIn(async (tab, page) => {
      await sync(30);
      await chooseFile(page, 'one.csv', 'itemId;address\nb1;Арбат, 1');
      const removals = (many: number) =>
        page.getByLabel(`Remove the ${many} service points that the list does not name`);
      await removals(29).check();
      await sync(50);
      await shownLater(tab, removals(49));
      expect(await removals(49).isChecked()).toBe(false);
      await removals(49).check();
      await page.getByRole('button', { name: 'Send the list' }).click();
      await page.getByText('and removed 49.').waitFor();
      // Files that are only checked put no list out of reach.
      await page.route(/\/places\/sync$/, async (route) => {
        const response = await route.fetch();
        const { sessions } = (await response.json()) as { sessions: object[] };
        const checks = sessions
          .slice(0, 1)
          .flatMap((session) =>
            Array.from({ length: 6 }, (_, n) => ({ ...session, sessionId: `check-${n}`, dryRun: true })),
          );
        await route.fulfill({ response, json: { sessions: [...checks, ...sessions] } });
      });
      const lists = page.getByRole('region', { name: 'Recent lists' });
      await shownLater(tab, lists.getByText('Dry run').nth(5));
      await lists.getByRole('button', { name: 'Page 2' }).click();
      await lists.getByText('and removed 49').waitFor();
    }),
);
