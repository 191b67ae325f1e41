import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  type CompressedFile,
  checkedEachTime,
  compressedFile,
  entityTag,
  keptForEver,
  securityHeaders,
  type WebResponse,
} from '../../shared/platform/http/web-file.ts';
import { startWork } from '../../shared/platform/logging/log.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';

/** The files of the build: the page is plain, all others are compressed. */
export type ConsoleFiles = {
  page: string;
  /** The OpenAPI document. */
  document: CompressedFile;
  /** The assets by name. Each name contains a hash of the content. */
  assets: ReadonlyMap<string, CompressedFile>;
};

/** Only what is listed here is ever served, so that no path leads to another file. */
export function readConsoleFiles(folder: string): ConsoleFiles {
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets).map((file) => file.replace(/\.(br|gz)$/, '')));
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    document: readCompressed(join(folder, 'openapi.json')),
    assets: new Map([...names].map((name) => [name, readCompressed(join(assets, name))])),
  };
}

function readCompressed(file: string): CompressedFile {
  return { br: readFileSync(`${file}.br`), gzip: readFileSync(`${file}.gz`) };
}

const assetPath = '/console/assets/';

/**
 * Serves GET /console and what is below it, GET /openapi.json, and GET /, which redirects to the console. Requests that
 * match no route come here too, so that a path with a slash too many gets a hint. `settings`: the JSON of what the page
 * needs to know of the stage.
 */
export function serveConsole({ files, settings } = connect()) {
  const page = files.page.replace('content="{}"', () => `content="${escaped(settings)}"`);
  const pageTag = entityTag(page);
  const documentTag = entityTag(files.document.br);

  function respond({ routeKey, rawPath, headers }: APIGatewayProxyEventV2): WebResponse {
    if (routeKey === '$default') return noRoute(rawPath);
    if (rawPath === '/') return { statusCode: 302, headers: { location: '/console' } };
    if (rawPath === '/openapi.json') {
      return checkedEachTime(headers, documentTag, compressedFile(rawPath, files.document, headers));
    }
    if (!rawPath.startsWith(assetPath)) {
      const type = { 'content-type': 'text/html; charset=utf-8' };
      return checkedEachTime(headers, pageTag, { statusCode: 200, headers: type, body: page });
    }
    const name = rawPath.slice(assetPath.length);
    const content = files.assets.get(name);
    return content ? keptForEver(compressedFile(name, content, headers)) : notFound;
  }

  return async (event: APIGatewayProxyEventV2): Promise<WebResponse> => {
    const { requestId } = event.requestContext;
    const work = startWork('ServeConsole', { requestId });
    const response = respond(event);
    work.done('answered', { statusCode: response.statusCode });
    return { ...response, headers: { ...response.headers, ...securityHeaders } };
  };
}

/** The body that the gateway itself returns for a path without a route. */
function noRoute(path: string): WebResponse {
  const told = path.endsWith('/')
    ? `Not Found: ask for ${path.replace(/\/+$/, '') || '/'} without the slash at its end`
    : 'Not Found';
  return {
    statusCode: 404,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ message: told }),
  };
}

const notFound: WebResponse = {
  statusCode: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'This file belongs to another version of the console: load the page again.',
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function connect() {
  const files = readConsoleFiles(join(import.meta.dirname, 'files'));
  return { files, settings: readEnv('CONSOLE_SETTINGS') };
}
