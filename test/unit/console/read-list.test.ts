import { expect, test } from 'vitest';
import { errorInFile } from '../../../console/pages/service-points/in-file.ts';
import { decodeFile, readList } from '../../../console/pages/service-points/read-list.ts';

const place = { itemId: '01', placeInfo: { address: 'Арбат, 1' } };

function placesIn(text: string): unknown {
  const list = readList(text);
  return 'places' in list ? list.places : list.problem;
}

/** Returns the position in the file that each service point is reported at. */
function rowsIn(text: string): string[] {
  const list = readList(text);
  return 'places' in list ? list.places.map((_place, index) => list.rowOf(index)) : [];
}

test('a JSON file is a list, or an object with one, as the API takes it', () => {
  expect(placesIn(JSON.stringify([place]))).toEqual([place]);
  expect(placesIn(JSON.stringify({ places: [place] }))).toEqual([place]);
});

/** `Арбат, 1` in Windows-1251. */
const arbat = [0xc0, 0xf0, 0xe1, 0xe0, 0xf2, 0x2c, 0x20, 0x31];

function utf16(text: string, isBigEndian = false): Uint8Array {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

test.each([
  ['UTF-8', Buffer.from('Арбат, 1')],
  ['UTF-8', Buffer.from('\uFEFFАрбат, 1')],
  ['Windows-1251', Uint8Array.from(arbat)],
  ['UTF-16LE', utf16('Арбат, 1')],
  ['UTF-16BE', utf16('Арбат, 1', true)],
])('a file in %s is read with its letters, and without its mark', (encoding, bytes) => {
  expect(decodeFile(bytes)).toEqual({ encoding, text: 'Арбат, 1' });
});

test('a CSV file becomes service points, whatever separates its columns', () => {
  const semicolons = [
    'itemId;name;address;type;schedule;phones;metroStations;lat;lng;unknown',
    '01;"Бар ""Юнион"", центр";Арбат, 1;бар;12:00-00:00;(495) 1 | (495) 2;Арбатская|Смоленская;55,75;37.6;x',
    '02;;Тверская, 2;;;;;;;',
  ];
  expect(placesIn(semicolons.join('\r\n'))).toEqual([
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
  ]);
});

test('columns that are not read are named, but for those without a name', () => {
  const list = (names: string) => readList(`${names}\n1,Street,bar,x`);
  expect(list('itemId,address,Type,colour')).toMatchObject({ unknownColumns: ['Type', 'colour'] });
  expect(list('itemId,address,type,')).toMatchObject({ unknownColumns: [] });
});

test('blanks around an itemId are left out, which would make another point of it', () => {
  expect(placesIn('itemId,address\n pt-3 ,a')).toEqual([{ itemId: 'pt-3', placeInfo: { address: 'a' } }]);
});

test('what is no number is sent as it is: the service says which row is wrong', () => {
  expect(placesIn('itemId,address,lat,lng\n1,a,north,37\n2,b,55, ')).toEqual([
    { itemId: '1', placeInfo: { address: 'a', geoPoint: { lat: 'north', lng: 37 } } },
    { itemId: '2', placeInfo: { address: 'b', geoPoint: { lat: 55, lng: ' ' } } },
  ]);
});

test('a service point is in the row that a spreadsheet shows: empty ones and broken lines count', () => {
  expect(rowsIn('itemId;address\n1;"Арбат,\n1"\n\n ; \n2;Арбат, 2\n\n')).toEqual(['row 2', 'row 5']);
  expect(rowsIn('\n itemId , address \n1,a\n')).toEqual(['row 3']);
  expect(rowsIn(JSON.stringify([place, place]))).toEqual(['element 1', 'element 2']);
});

test.each([
  ['{"points": []}', 'The file is JSON without a list. It must be [...] or {"places": [...]}.'],
  ['[', /^The file is not valid JSON: .+\.$/],
  ['itemId;address\n', 'The file has no service points.'],
  ['name,lat\nbar,1', 'The first row must name the columns. It does not name itemId and address.'],
  ['itemId,address,address\n1,a,b', 'The first row names address more than once. Keep one of these columns.'],
  ['itemId,address\n1,"a', 'Row 2 cannot be read: Quoted field unterminated.'],
  ['itemId,address\n\n1,a\n2', 'Row 4 does not have as many columns as the first row: 1 instead of 2.'],
])('%s is refused with a sentence', (text, problem) => {
  expect(readList(text)).toEqual({
    problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  });
});

function rowOf(index: number): string {
  return `row ${index + 2}`;
}

test('an error names the row and the itemId instead of the index in the list', () => {
  expect(
    errorInFile(
      {
        place: { itemId: 'a' },
        description: 'places[20].placeInfo.address: required; places[20].placeInfo.name: must be a string',
      },
      rowOf,
    ),
  ).toEqual({
    row: 'row 22',
    itemId: 'a',
    description: 'placeInfo.address: required; placeInfo.name: must be a string',
  });
  const repeated = {
    place: { itemId: 7 },
    description: 'places[3].itemId: already sent at places[1]; the first one counts',
  };
  expect(errorInFile(repeated, rowOf)).toEqual({
    row: 'row 5',
    itemId: '',
    description: 'itemId: already sent at row 3; the first one counts',
  });
  const whole = { place: {}, description: 'The list could not be processed: send it again.' };
  expect(errorInFile(whole, rowOf)).toEqual({ row: '', itemId: '', description: whole.description });
});
