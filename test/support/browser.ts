import { existsSync, readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { expect, test } from 'vitest';

// The headless shell is the same browser without windows, and takes half the time.
const executables = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = executables.find((path) => existsSync(path));
const missing = `there is no ${executables.join(' or ')}`;

/** Defines a test that needs Chromium. CI installs it; elsewhere the title says why the test is skipped. */
export function browserTest(title: string, run: () => Promise<void>): void {
  const isSkipped = !executablePath && !process.env['CI'];
  test.skipIf(isSkipped)(isSkipped ? `${title} (skipped: ${missing})` : title, run);
}

let started: Promise<BrowserContext> | undefined;

/** Returns the browser that all files of a worker share, so that files that one page needed are cached for the next. */
function sharedBrowser(): Promise<BrowserContext> {
  started ??= startBrowser();
  return started;
}

async function startBrowser(): Promise<BrowserContext> {
  if (!executablePath) throw new Error(`${missing}: apt-get install chromium-headless-shell`);
  const off = ['quic', 'background-networking', 'component-update', 'sync'].map(
    (what) => `--disable-${what}`,
  );
  // Tabs share a process, since starting one takes a fifth of the time of a tab.
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--process-per-site', ...off],
  });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Europe/Moscow',
    // During a fade, the contrast would be neither that before nor that after it.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(30_000);
  // The clock goes on by itself; `shownLater` moves it forward.
  await context.clock.install();
  return context;
}

export type Tab = {
  page: Page;
  /** Errors of the page, and violations of the Content-Security-Policy. */
  problems: string[];
  /** The URLs of all requests. */
  urls: string[];
  /** The lines that the page wrote to its console. */
  written: string[];
};

/** Visits a page, and fails if anything goes wrong in it. A failed request of the API is not an error of the page. */
export async function inTab(url: string, visit: (tab: Tab) => Promise<void>): Promise<void> {
  const page = await (await sharedBrowser()).newPage();
  const tab: Tab = { page, problems: [], urls: [], written: [] };
  page.on('pageerror', (error) => tab.problems.push(String(error)));
  page.on('request', (request) => tab.urls.push(request.url()));
  page.on('console', (message) => {
    tab.written.push(message.text());
    if (/Content.Security.Policy|Refused to/i.test(message.text())) tab.problems.push(message.text());
  });
  try {
    await page.goto(url);
    await visit(tab);
    expect(tab.problems).toEqual([]);
  } finally {
    await page.close();
  }
}

/** Waits for what a page shows after it has read something again, which it does every 15 s: moves its clock forward. */
export async function shownLater({ page }: Tab, shown: Locator): Promise<void> {
  const isShown = () =>
    shown.waitFor({ timeout: 1_000 }).then(
      () => true,
      () => false,
    );
  while (!(await isShown())) await page.clock.fastForward(15_000);
  // The time of the day is that of the service again.
  await page.clock.setSystemTime(Date.now());
}

export async function signIn(
  { page }: Tab,
  { login, secret }: { login: string; secret: string },
): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(login);
  await page
    .locator('input')
    .and(page.getByLabel('Secret', { exact: true }))
    .fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Returns the links of the pages that the key may use. */
export function pageLinks({ page }: Tab) {
  return page.getByRole('navigation').getByRole('link');
}

/** Opens a page by its link, and waits until the page has loaded everything. */
export async function openPage({ page }: Tab, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
}

/** Returns everything that is stored outside the memory of the page. */
export function stored({ page }: Tab): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
  );
}

/** Waits until the page is as wide as the window, so that nobody has to scroll sideways. */
export async function expectFits({ page }: Tab, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}

/** Rules about the regions of a page. axe rates them moderate, so they must be named. */
export const landmarks = ['landmark-unique', 'landmark-no-duplicate-banner'];

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** Returns what axe finds on the page by these rules; without rules, its serious and critical findings. */
export async function seriousFindings({ page }: Tab, rules?: readonly string[]): Promise<string[]> {
  // Everything else that axe could return takes it longer than the rules.
  const quick = { resultTypes: ['violations'], selectors: false, preload: false };
  // The debugging protocol loads the script, because the page's own policy would refuse it. Its next run is faster, since it is compiled.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify({ ...quick, ...(rules ? { runOnly: rules } : {}) })})`,
  )) as AxeResults;
  return violations
    .filter(({ impact }) => rules || impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
