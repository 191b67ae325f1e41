import { expect, test } from 'vitest';
import { stageConfig } from '../../../infra/config.ts';
import { browserTest, inNewBrowser, pageLinks, signIn } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';
import { filesOfPages, firstViewBudgetBytes, firstViewFiles } from '../../support/first-view.ts';
import { isCi } from '../../support/property-runs.ts';

const { running, urlOf } = consoleFixture('', { hasEndpoint: false });
const pages = [...filesOfPages()];
const first = ['index.html', 'index.js', 'index.css'];

/** Turns `assets/index-6mFXokhD.js` into `index.js`. */
function withoutHash(file: string): string {
  return file.replace(/^assets\/(.+)-[\w-]{8}\.(\w+)$/, '$1.$2');
}

/** Returns the files of the console among the URLs that a browser requested. */
function filesIn(urls: readonly string[]): string[] {
  const paths = urls.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/console'));
  return paths.map((path) =>
    path.startsWith('/console/assets/') ? path.slice('/console/'.length) : 'index.html',
  );
}

test('a page that is opened first loads four files, the API reference five; a later one, one or two', () => {
  expect(Object.fromEntries(pages.map(([page, files]) => [page, files.map(withoutHash)]))).toEqual({
    overview: [...first, 'overview.js'],
    'service-points': [...first, 'service-points.js'],
    'check-ins': [...first, 'check-ins.js'],
    messages: [...first, 'messages.js'],
    phone: [...first, 'phone.js'],
    callbacks: [...first, 'callbacks.js'],
    events: [...first, 'events.js'],
    promotions: [...first, 'promotions.js'],
    keys: [...first, 'keys.js'],
    'api-reference': [...first, 'api-reference.js', 'swagger-ui.js'],
  });
  for (const [page, files] of pages) expect(files.length, page).toBeLessThan(6);
});

test('the first view stays within its budget', () => {
  const bytes = firstViewFiles().reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(firstViewBudgetBytes);
});

// On a laptop a browser opens the smallest page and the largest, in CI every page.
const opened = pages.filter(([page]) => isCi || ['overview', 'api-reference'].includes(page));

browserTest('a browser loads these files and no others', async () => {
  expect(opened.length).toBeGreaterThan(1);
  for (const [page, files] of opened) {
    const path = page === 'overview' ? '' : `/${page}`;
    await inNewBrowser(urlOf(path), async (tab) => {
      await signIn(tab, running.service.endpoints);
      await pageLinks(tab).first().waitFor();
      await tab.page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
      expect(filesIn(tab.urls).sort(), page).toEqual(files.toSorted());
    });
  }
});

test('the ceiling of prod is above what ten browsers have under way at once: the files that follow the page, or those of a later page', () => {
  const inParallel = Math.max(first.length - 1, ...pages.map(([, files]) => files.length - first.length));
  expect(inParallel).toBe(2);
  expect(stageConfig('prod').reservedConcurrency['ServeConsole']).toBeGreaterThanOrEqual(10 * inParallel);
});

test.each(['', '/console', '/console/keys', `/console/${pages[0]?.[1][1]}`, '/openapi.json'])(
  'HEAD of %s says what GET would send, without sending it',
  async (path) => {
    const url = `${running.service.endpoints.baseUrl}${path}`;
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => fetch(url, { method, redirect: 'manual' })),
    );
    expect([head?.status, head?.headers.get('etag')]).toEqual([get?.status, get?.headers.get('etag')]);
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
    expect(await head?.text()).toBe('');
  },
);
