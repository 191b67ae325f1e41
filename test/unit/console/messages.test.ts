import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  contentOf,
  emptyDraft,
  limits,
  problemsOf,
  reasonNotToSend,
  recipientsIn,
} from '../../../console/pages/messages/draft.ts';

const nobody = recipientsIn('');
const draft = { ...emptyDraft, title: 'Скидка', message: 'Приходите' };

test('pasted numbers are read line by line: written apart, given twice, or wrong', () => {
  expect(recipientsIn('+7 (900) 123-45-67\r\n79001234568, 79001234567;\n\nИван\n007\n7900123456789')).toEqual(
    {
      numbers: [79001234567, 79001234568, 7900123456789],
      duplicates: 1,
      wrong: [
        { line: 4, text: 'Иван' },
        { line: 5, text: '007' },
      ],
    },
  );
});

test('a cell of a spreadsheet beside a number is not taken for a part of it', () => {
  expect(recipientsIn('79001234567\t1500\n79001234568\t')).toEqual({
    numbers: [79001234567, 79001234568],
    duplicates: 0,
    wrong: [{ line: 1, text: '1500' }],
  });
});

test('the limits of texts are those of the OpenAPI document', () => {
  const { schemas } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')).components;
  const { title, message, image } = schemas.Payload.properties;
  const campaignId = schemas.Deeplink.properties.campaignId.anyOf[1];
  expect({
    title: title.maxLength,
    message: message.maxLength,
    image: image.maxLength,
    campaignId: campaignId.maxLength,
  }).toEqual(limits);
});

test('what can be seen to be wrong is said while it is typed, and nothing of what fits', () => {
  expect(problemsOf({ ...draft, title: '🎁'.repeat(50), message: 'ж'.repeat(150) }, nobody, 10)).toEqual({});
  const long = { ...draft, title: 'ж'.repeat(53) };
  expect(problemsOf(long, recipientsIn('79001234567\n79001234568'), 1)).toEqual({
    title: '3 too many: at most 50 characters.',
    numbers: 'A request takes at most 1 number: send the rest in another one.',
  });
  const hidden = { image: 'ж'.repeat(2_049), campaignId: 'ж'.repeat(513) };
  expect(problemsOf({ ...draft, ...hidden }, nobody, 10)).toEqual({});
  expect(problemsOf(draft, recipientsIn('79001234567\nabc\nd'), 10)).toEqual({
    numbers: 'Line 2: "abc" is no number of 7 to 15 digits, and 1 more.',
  });
});

test('a deadline is sent with its moment, and one that has passed is refused in words', () => {
  const nowMs = Date.parse('2026-11-23T10:00:00Z');
  const localAt = (ms: number) => {
    const at = new Date(ms);
    const two = (part: number) => String(part).padStart(2, '0');
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
  };
  const deadline = localAt(Date.parse('2026-11-24T07:45:00Z'));
  expect(contentOf({ ...draft, deadline }).qos).toEqual({
    deliveryStatusNotifications: true,
    deliverDue: '2026-11-24T07:45:00.000Z',
  });
  expect(problemsOf({ ...draft, deadline }, nobody, 10, nowMs)).toEqual({});
  expect(problemsOf({ ...draft, deadline: localAt(nowMs) }, nobody, 10, nowMs)).toEqual({
    deadline: 'Must be in the future.',
  });
  const inPart = { ...draft, deadline: 'partial' };
  expect(problemsOf(inPart, nobody, 10, nowMs)).toEqual({
    deadline: 'Write the whole date and time, or clear both',
  });
  expect(contentOf(inPart).qos).toEqual({ deliveryStatusNotifications: true });
});

test('a message is sent with what its type shows, and a promotion by its number', () => {
  const image = 'https://example.com/a.png';
  expect(contentOf({ ...draft, image, target: 'campaign', campaignId: '17' })).toEqual({
    pushType: 'SERVICE',
    payload: { title: 'Скидка', message: 'Приходите', deeplink: { target: 'campaign', campaignId: 17 } },
    qos: { deliveryStatusNotifications: true },
  });
  expect(contentOf({ ...draft, pushType: 'PROMO', image }).payload).toMatchObject({ image });
  expect(contentOf({ ...draft, utmCampaign: 'весна' }).utm).toEqual({ utmCampaign: 'весна' });
});

test('blanks around what is compared as it is are left out', () => {
  const pasted = {
    ...draft,
    target: 'campaign' as const,
    campaignId: '17 ',
    utmSource: ' ',
    utmCampaign: ' весна',
  };
  expect(contentOf(pasted)).toMatchObject({
    payload: { deeplink: { target: 'campaign', campaignId: 17 } },
    utm: { utmCampaign: 'весна' },
  });
  expect(contentOf(pasted).utm).not.toHaveProperty('utmSource');
  const image = { ...draft, pushType: 'PROMO' as const, image: ' https://example.com/a.png' };
  expect(contentOf(image).payload).toMatchObject({ image: 'https://example.com/a.png' });
  expect(problemsOf(image, nobody, 10)).toEqual({});
  const one = recipientsIn('79001234567');
  expect(reasonNotToSend({ ...pasted, campaignId: ' ' }, one, {})).toBe(
    'First write the number of the promotion.',
  );
});

test('rule 54: a planned message is sent with its time', () => {
  const nowMs = new Date(2026, 4, 20, 10).getTime();
  const start = '2026-05-21T10:00';
  const deliverFrom = new Date(2026, 4, 21, 10).toISOString();
  expect(contentOf({ ...draft, start }).qos).toEqual({ deliveryStatusNotifications: true, deliverFrom });
  expect(problemsOf({ ...draft, start, deadline: '2026-05-21T10:01' }, nobody, 10, nowMs)).toEqual({});
});

test('only what is the id of a promotion of ours is sent as a number', () => {
  const sent = ['17', '017', '1234567890123456789', 'spring'].map((campaignId) => {
    const { payload } = contentOf({ ...draft, target: 'campaign', campaignId });
    return payload.deeplink;
  });
  expect(sent).toMatchObject([
    { campaignId: 17 },
    { campaignId: '017' },
    { campaignId: '1234567890123456789' },
    { campaignId: 'spring' },
  ]);
});
