import { expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { parseInput } from '../../shared/platform/http/request-input.ts';

test('rule 59: dryRun, however it is spelt, is refused by each operation with a body that has no dry run', () => {
  const errorsOf = (op: (typeof operations)[number], body: object): readonly string[] => {
    const text = JSON.stringify(body);
    const parsed = parseInput(op, {}, { text, who: { limits: {} }, nowMs: 0 });
    return 'errors' in parsed ? (parsed.errors as string[]) : [];
  };
  const refusing = operations.filter(({ body }) => body);
  const withDryRun = ['StartSync', 'SendMessage', 'SendBulk', 'SendMulti'];
  expect(refusing.length).toBeGreaterThan(15);
  for (const op of refusing)
    for (const name of ['dryRun', 'dry_run']) {
      const sentence = `${name}: this has no dry run, leave it out`;
      const isRefused = errorsOf(op, { [name]: false }).includes(sentence);
      expect(isRefused, `${op.id} ${name}`).toBe(!withDryRun.includes(op.id));
      expect(errorsOf(op, { [name]: null })).not.toContain(sentence);
    }
});
