import { join } from 'node:path';
import { readEnv } from '../../shared/runtime/env.ts';
import { readConsoleFiles, serveConsole } from './serve-console.ts';

const { WALLET } = readEnv('WALLET');
const files = readConsoleFiles(join(import.meta.dirname, 'files'));
export const handler = serveConsole({ files, settings: { wallet: WALLET } });
