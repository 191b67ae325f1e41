import { expect, test } from 'vitest';
import { filesOfPages, firstViewBudgetBytes, firstViewFiles } from '../../../build/first-view.ts';
import { browserTest, inNewBrowsers, pageLinks, signIn } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';

const { running, urlOf } = consoleFixture('', { hasEndpoint: false });
const pages = [...filesOfPages()];
const first = ['index.html', 'index.js', 'index.css'];

/** `assets/index-6mFXokhD.js` -> `index.js` */
function withoutHash(file: string): string {
  return file.replace(/^assets\/(.+)-[\w-]{8}\.(\w+)$/, '$1.$2');
}

/** The files of the console among the addresses that a browser requested. */
function filesIn(urls: readonly string[]): string[] {
  const paths = urls.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/console'));
  return paths.map((path) =>
    path.startsWith('/console/assets/') ? path.slice('/console/'.length) : 'index.html',
  );
}

test('a page that is opened first loads four files, with a style sheet of its own five; a later one, one or two', () => {
  expect(Object.fromEntries(pages.map(([page, files]) => [page, files.map(withoutHash)]))).toEqual({
    overview: [...first, 'overview.js'],
    'service-points': [...first, 'service-points.js', 'service-points.css'],
    'check-ins': [...first, 'check-ins.js'],
    messages: [...first, 'messages.js'],
    phone: [...first, 'phone.js'],
    callbacks: [...first, 'callbacks.js'],
    promotions: [...first, 'promotions.js'],
    keys: [...first, 'keys.js'],
    'api-reference': [...first, 'api-reference.js', 'api-reference.css'],
  });
  for (const [page, files] of pages) expect(files.length, page).toBeLessThan(6);
});

test('the first view stays within its budget', () => {
  const bytes = firstViewFiles().reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(firstViewBudgetBytes);
});

browserTest('a browser loads these files and no others', async () => {
  for (const [page, files] of pages) {
    const path = page === 'overview' ? '' : `/${page}`;
    const [tab] = await inNewBrowsers(1, urlOf(path), async (opened) => {
      await signIn(opened, running.service.endpoints);
      await pageLinks(opened).first().waitFor();
      await opened.page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    });
    expect(filesIn(tab?.urls ?? []).sort(), page).toEqual(files.toSorted());
  }
});
