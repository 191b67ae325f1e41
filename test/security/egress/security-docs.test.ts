import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

test.each(['SECURITY.md', 'docs/threat-model.md'])(
  'every file that %s names as holding a promise is there',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [
      ...text.matchAll(/[`(]((?:\.github|docs|functions|infra|local|shared|test)\/[^`*()#]+\.[a-z]+)[`#)]/g),
    ].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);
