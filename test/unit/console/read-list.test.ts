import { expect, test } from 'vitest';
import { errorsAsCsv, readList } from '../../../console/pages/service-points/read-list.ts';

const place = { itemId: '01', placeInfo: { address: 'Арбат, 1' } };

test('a JSON file is a list, or an object with one, as the API takes it', () => {
  expect(readList(JSON.stringify([place]))).toEqual({ places: [place] });
  expect(readList(`\uFEFF${JSON.stringify({ places: [place] })}`)).toEqual({ places: [place] });
});

test('a CSV file becomes service points, whatever separates its columns', () => {
  const semicolons = [
    'itemId;name;address;type;schedule;phones;metroStations;lat;lng;unknown',
    '01;"Бар ""Юнион"", центр";Арбат, 1;бар;12:00-00:00;(495) 1 | (495) 2;Арбатская|Смоленская;55,75;37.6;x',
    '02;;Тверская, 2;;;;;;;',
  ];
  expect(readList(semicolons.join('\r\n'))).toEqual({
    places: [
      {
        itemId: '01',
        placeInfo: {
          name: 'Бар "Юнион", центр',
          address: 'Арбат, 1',
          type: 'бар',
          schedule: '12:00-00:00',
          phones: [{ number: '(495) 1' }, { number: '(495) 2' }],
          metroStations: ['Арбатская', 'Смоленская'],
          geoPoint: { lat: 55.75, lng: 37.6 },
        },
      },
      { itemId: '02', placeInfo: { address: 'Тверская, 2' } },
    ],
  });
});

test('what is no number is sent as it is: the service says which line is wrong', () => {
  expect(readList('itemId,address,lat,lng\n1,a,north,37')).toEqual({
    places: [{ itemId: '1', placeInfo: { address: 'a', geoPoint: { lat: 'north', lng: 37 } } }],
  });
});

test.each([
  ['{"points": []}', 'The file is JSON without a list: it must be [...] or {"places": [...]}.'],
  ['[', /^The file is not valid JSON: .+\.$/],
  ['[]', 'The file has no service points.'],
  ['name,lat\nbar,1', 'The first line must name the columns; it lacks itemId and address.'],
  ['itemId,address\n1,"a', 'Line 2 cannot be read: Quoted field unterminated.'],
  ['itemId,address\n1,a\n2', 'Line 3 cannot be read: Too few fields: expected 2 fields but parsed 1.'],
])('%s is refused with a sentence', (text, problem) => {
  expect(readList(text)).toEqual({
    problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  });
});

test('errors are saved for a spreadsheet, in which nothing becomes a formula', () => {
  const sent = { itemId: '=HYPERLINK("x")', placeInfo: {} };
  expect(errorsAsCsv([{ place: sent, description: 'places[0].placeInfo.address: required' }])).toBe(
    '\uFEFFitemId,description,place\r\n' +
      `"'=HYPERLINK(""x"")",places[0].placeInfo.address: required,"{""itemId"":""=HYPERLINK(\\""x\\"")"",""placeInfo"":{}}"`,
  );
});
