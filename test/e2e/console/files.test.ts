import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleFolder } from '../../../infra/bundle-paths.ts';
import { stageConfig } from '../../../infra/config.ts';
import { newApp } from '../../../infra/new-app.ts';
import { defineStacks } from '../../../infra/stacks.ts';
import { browserTest, inNewBrowsers, pageLinks, signIn } from '../../support/browser.ts';
import { consoleFixture } from '../../support/console.ts';
import { filesOfPages, firstViewBudgetBytes, firstViewFiles } from '../../support/first-view.ts';
import { isCi } from '../../support/property-runs.ts';
import { startService } from '../../support/service.ts';

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
    const [tab] = await inNewBrowsers(1, urlOf(path), async (opened) => {
      await signIn(opened, running.service.endpoints);
      await pageLinks(opened).first().waitFor();
      await opened.page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    });
    expect(filesIn(tab?.urls ?? []).sort(), page).toEqual(files.toSorted());
  }
});

test('the ceiling of prod is above what ten browsers have under way at once: the files that follow the page, or those of a later page', () => {
  const inParallel = Math.max(first.length - 1, ...pages.map(([, files]) => files.length - first.length));
  expect(inParallel).toBe(2);
  expect(stageConfig('prod').reservedConcurrency['ServeConsole']).toBeGreaterThanOrEqual(10 * inParallel);
});

browserTest(
  'in prod ten browsers (on a laptop three) open the sign-in and Messages at once, and no file is refused',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prod-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const app = newApp(folder, { validated: false });
    defineStacks(app, { config: stageConfig('prod'), codeFolder: bundleFolder });
    app.synth();
    const service = await startService({ assemblyDir: folder, retrySpeed: 1 });
    onTestFinished(() => service.stop());
    const tabs = await inNewBrowsers(
      isCi ? 10 : 3,
      `${service.endpoints.baseUrl}/console/messages`,
      async (tab) => {
        await signIn(tab, service.endpoints);
        await tab.page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
      },
    );
    for (const { urls, refused } of tabs) {
      expect(filesIn(urls).map(withoutHash).sort()).toEqual([...first, 'messages.js'].sort());
      expect(refused).toEqual([]);
    }
  },
);

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
