import { join } from 'node:path';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { parseSettings, readConsoleFiles, serveConsole } from './serve-console.ts';

const { CONSOLE_SETTINGS } = readEnv('CONSOLE_SETTINGS');
const files = readConsoleFiles(join(import.meta.dirname, 'files'));
export const handler = serveConsole({ files, settings: parseSettings(CONSOLE_SETTINGS) });
