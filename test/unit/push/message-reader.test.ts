import { expect, test } from 'vitest';
import { runNode } from '../../support/run-node.ts';

test('messages of 130 sends whose contents are large when parsed, as a batch of receipts may name, take no more than 200 MB', async () => {
  const program = 'test/unit/push/looked-up-parts.ts';
  expect(await runNode(['--max-old-space-size=200', program])).toMatchObject({ code: 0, out: '130\n' });
}, 60_000);
