import { expect, test } from 'vitest';
import { inOffset, joinDate, shownDate, splitDate } from '../../../console/pages/promotions/dates.ts';
import { fieldsOf, problemsOf, promotionChange } from '../../../console/pages/promotions/promotion-change.ts';

const stored = {
  promoId: 17,
  name: 'Кофе',
  status: 'active' as const,
  startDate: '2026-06-01T00:00:00+03',
  endDate: '2026-06-02T02:30:00+05:30',
  images: { imageWide: 'https://bars.example/wide.png' },
  description: '<p>От 500 ₽</p>',
  discount: '',
  source: 'api' as const,
};

test.each([
  ['2026-06-01T00:00:00+03', '2026-06-01T00:00', '+03', '1 Jun 2026, 00:00 UTC+03'],
  ['2026-06-01T23:59:59-02:30', '2026-06-01T23:59:59', '-02:30', '1 Jun 2026, 23:59:59 UTC-02:30'],
  ['2026-12-31T10:00:00+00', '2026-12-31T10:00', '+00', '31 Dec 2026, 10:00 UTC+00'],
])('%s is shown on the clocks of its own offset', (text, local, offset, shown) => {
  expect(splitDate(text)).toEqual({ local, offset });
  expect(joinDate(local, offset)).toBe(text);
  expect(shownDate(text)).toBe(shown);
});

test('a date keeps its moment in another offset', () => {
  expect(inOffset('2026-06-02T02:30:00+05:30', '+03')).toBe('2026-06-02T00:00');
  expect(inOffset('2026-06-02T00:00:00+03', '-02:30')).toBe('2026-06-01T18:30');
  expect(inOffset('2026-06-02T00:00:01+03', '+03')).toBe('2026-06-02T00:00:01');
});

test('a form shows the end on the clocks of the start', () => {
  expect(fieldsOf(stored)).toMatchObject({ offset: '+03', endDate: '2026-06-02T00:00' });
});

test('a form that was not touched changes nothing', () => {
  expect(promotionChange(fieldsOf(stored), fieldsOf(stored))).toEqual({});
});

test('only what differs is sent, and what was emptied is taken away', () => {
  const fields = {
    ...fieldsOf(stored),
    name: 'Чай',
    endDate: '',
    images: { imageWide: ' ', imageSquare: '' },
  };
  expect(promotionChange(fieldsOf(stored), fields)).toEqual({
    name: 'Чай',
    endDate: null,
    images: { imageWide: null, imageSquare: null },
  });
});

test('a promotion needs a name and a start', () => {
  expect(problemsOf(fieldsOf(undefined))).toEqual({ name: 'Required', startDate: 'Required' });
  expect(problemsOf({ ...fieldsOf(stored), endDate: '' })).toEqual({});
});
