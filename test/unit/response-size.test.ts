import { expect, test } from 'vitest';
import { fitInResponse, fitsInResponse, maxResponseBytes } from '../../shared/platform/http/response-size.ts';

test.each([
  [0, true],
  [1, false],
])(
  'parts fit into a response to the last byte: with %d more than fit, the last one does: %s',
  (more, fits) => {
    const parts = ['"quoted"', 'two'];
    // In the response a quote of the text is escaped, and a comma follows each part.
    const bytes = '\\"quoted\\",two,'.length;
    const texts = fitInResponse(parts, (part) => part, maxResponseBytes - bytes + more);
    expect(texts).toEqual(fits ? parts : parts.slice(0, 1));
  },
);

test('the quotes around a body count too', () => {
  expect(fitsInResponse('a'.repeat(maxResponseBytes - 2))).toBe(true);
  expect(fitsInResponse('a'.repeat(maxResponseBytes - 1))).toBe(false);
});
