import Papa from 'papaparse';

export type List = {
  places: readonly unknown[];
  /** Returns the position of a service point in the file: `row 2` in a spreadsheet, `element 2` in JSON. */
  rowOf: (index: number) => string;
  /** Columns that the console does not know and therefore does not read. */
  unknownColumns?: readonly string[];
};

type Problem = { problem: string };

/** The columns of a CSV file. Commas, semicolons or tabs separate them; `|` separates the values of a list in a cell. */
export const csvColumns = 'itemId name address type schedule phones metroStations lat lng'.split(' ');

type Row = Partial<Record<string, string>>;

/** How the files of spreadsheet programs begin: those of Excel 97 (.xls), and archives (.xlsx, .ods, .numbers). */
const workbooks = ['d0cf11e0a1b11ae1', '504b0304'];

function isWorkbook(bytes: Uint8Array): boolean {
  const start = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return workbooks.some((mark) => start.startsWith(mark));
}

/** Reads what the user chose. `encoding` is empty for a file that is not text. */
export function readFile(bytes: Uint8Array): { encoding: string; read: List | Problem } {
  if (isWorkbook(bytes)) {
    const problem =
      'The file is a workbook of a spreadsheet program. Open it there, save it as CSV, and choose that file.';
    return { encoding: '', read: { problem } };
  }
  const { encoding, text } = decodeFile(bytes);
  return { encoding, read: readList(text) };
}

/** Excel saves CSV in the encoding of Windows, and "Unicode text" as UTF-16 with a byte order mark. */
export function decodeFile(bytes: Uint8Array): { text: string; encoding: string } {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const utf16 = { '255 254': 'UTF-16LE', '254 255': 'UTF-16BE' }[mark];
  const [encoding, options] = utf16 ? [utf16] : ['UTF-8', { fatal: true }];
  try {
    return { encoding, text: new TextDecoder(encoding, options).decode(bytes) };
  } catch {
    return { encoding: 'Windows-1251', text: new TextDecoder('windows-1251').decode(bytes) };
  }
}

/** Reads a JSON file (`[...]` or `{"places": [...]}`) or a CSV file with a row of column names. */
export function readList(text: string): List | Problem {
  if (text.trim() === '') return { problem: 'The file is empty.' };
  const list = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text);
  if ('places' in list && list.places.length === 0) return { problem: 'The file has no service points.' };
  return list;
}

export function elementOf(index: number): string {
  return `element ${index + 1}`;
}

function readJson(text: string): List | Problem {
  try {
    const value: unknown = JSON.parse(text);
    const places = Array.isArray(value) ? value : (value as { places?: unknown }).places;
    return Array.isArray(places)
      ? { places, rowOf: elementOf }
      : { problem: 'The file is JSON without a list. It must be [...] or {"places": [...]}.' };
  } catch (error) {
    return { problem: `The file is not valid JSON: ${(error as Error).message}.` };
  }
}

function readCsv(text: string): List | Problem {
  const [firstLine = ''] = /\S.*/.exec(text) ?? [];
  const delimiter = [';', '\t'].find((one) => firstLine.includes(one)) ?? ',';
  const { data, errors } = Papa.parse<string[]>(text, { delimiter });
  const [broken] = errors;
  if (broken) return { problem: `Row ${(broken.row ?? 0) + 1} cannot be read: ${broken.message}.` };
  const filled = data
    .map((cells, n) => ({ cells, row: n + 1 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const names = (filled.shift()?.cells ?? []).map((name) => name.trim());
  const missing = ['itemId', 'address'].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return { problem: `The first row must name the columns. It does not name ${missing.join(' and ')}.` };
  }
  const repeated = csvColumns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated)
    return { problem: `The first row names ${repeated} more than once. Keep one of these columns.` };
  const uneven = filled.find(({ cells }) => cells.length !== names.length);
  if (uneven) {
    const { row, cells } = uneven;
    const counts = `${cells.length} instead of ${names.length}`;
    return { problem: `Row ${row} does not have as many columns as the first row: ${counts}.` };
  }
  const places = filled.map(({ cells }) =>
    placeOf(Object.fromEntries(names.map((name, n) => [name, cells[n]]))),
  );
  // Spreadsheets add columns without a name: they are no mistake.
  const unknownColumns = names.filter((name) => name !== '' && !csvColumns.includes(name));
  return { places, rowOf: (index) => `row ${filled[index]?.row}`, unknownColumns };
}

function placeOf(row: Row): unknown {
  const { itemId, lat, lng, phones, metroStations, ...texts } = row;
  const filled = csvColumns.flatMap((name) => (name in texts && row[name] ? [[name, row[name]]] : []));
  const info = {
    ...Object.fromEntries(filled),
    ...(phones ? { phones: listIn(phones).map((number) => ({ number })) } : {}),
    ...(metroStations ? { metroStations: listIn(metroStations) } : {}),
    ...(lat || lng ? { geoPoint: { lat: numberIn(lat), lng: numberIn(lng) } } : {}),
  };
  // A blank that nobody sees would make another point of it.
  return { itemId: itemId?.trim(), placeInfo: info };
}

function listIn(cell: string): string[] {
  const parts = cell.split('|').map((part) => part.trim());
  return parts.filter(Boolean);
}

/** Reads 55.75 and 55,75. Other text stays as it is, so that the service rejects it. */
function numberIn(cell = ''): number | string {
  const number = Number(cell.trim().replace(',', '.'));
  return cell.trim() === '' || Number.isNaN(number) ? cell : number;
}
