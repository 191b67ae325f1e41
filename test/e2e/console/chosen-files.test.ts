import { expect } from 'vitest';
import { browserTest } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { signedIn } = consoleFixture('/service-points');

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
    const choose = (name: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: '', buffer: Buffer.from('itemId;address\nb1;Arbat 1') });
    const send = page.getByRole('button', { name: 'Send the list' });
    await choose('fast.csv');
    await send.waitFor();
    await choose('slow.csv');
    expect(await send.count()).toBe(0);
    await choose('fast.csv');
    await page.getByText('The list would add 1').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('slow file')));
    await send.click();
    await page.getByText('The list added 1').waitFor();
    expect(await page.getByText('slow.csv').count()).toBe(0);
    await choose('folder.csv');
    await page.getByText('folder.csv: it cannot be read. Choose it again.').waitFor();
    expect(problems).toEqual([]);
  }),
);
