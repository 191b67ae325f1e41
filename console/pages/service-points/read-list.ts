import Papa from 'papaparse';

type ReadList = { readonly places: unknown[] } | { readonly problem: string };

/** Of a CSV file, separated by commas, semicolons or tabs; lists in a cell are separated by `|`. */
export const csvColumns = 'itemId name address type schedule phones metroStations lat lng'.split(' ');

type Row = Partial<Record<string, string>>;

/** Reads a JSON file (`[...]` or `{"places": [...]}`) or a CSV file with a line of column names. */
export function readList(text: string): ReadList {
  const isJson = /^\uFEFF?\s*[[{]/.test(text);
  const list = isJson ? readJson(text.replace(/^\uFEFF/, '')) : readCsv(text);
  if ('places' in list && list.places.length === 0) return { problem: 'The file has no service points.' };
  return list;
}

function readJson(text: string): ReadList {
  try {
    const value: unknown = JSON.parse(text);
    const places = Array.isArray(value) ? value : (value as { places?: unknown }).places;
    return Array.isArray(places)
      ? { places }
      : { problem: 'The file is JSON without a list: it must be [...] or {"places": [...]}.' };
  } catch (error) {
    return { problem: `The file is not valid JSON: ${(error as Error).message}.` };
  }
}

function readCsv(text: string): ReadList {
  const { data, meta, errors } = Papa.parse<Row>(text, { header: true, skipEmptyLines: 'greedy' });
  const missing = ['itemId', 'address'].filter((name) => !meta.fields?.includes(name));
  if (missing.length > 0) {
    return { problem: `The first line must name the columns; it lacks ${missing.join(' and ')}.` };
  }
  const [broken] = errors.filter(({ type }) => type !== 'Delimiter');
  // The rows of other errors are counted without the line of names.
  const line = (broken?.row ?? 0) + (broken?.type === 'Quotes' ? 1 : 2);
  if (broken) return { problem: `Line ${line} cannot be read: ${broken.message}.` };
  return { places: data.map(placeOf) };
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
  return { itemId, placeInfo: info };
}

function listIn(cell: string): string[] {
  const parts = cell.split('|').map((part) => part.trim());
  return parts.filter(Boolean);
}

/** 55.75 and 55,75; other text stays as it is, for the service to reject. */
function numberIn(cell = ''): number | string {
  const number = Number(cell.trim().replace(',', '.'));
  return cell.trim() === '' || Number.isNaN(number) ? cell : number;
}

export function errorsAsCsv(errors: readonly { place?: unknown; description: string }[]): string {
  const rows = errors.map(({ place, description }) => ({
    itemId: (place as { itemId?: unknown } | null)?.itemId ?? '',
    description,
    place: JSON.stringify(place),
  }));
  // The mark tells Excel that it is UTF-8; a cell that a partner sent must not become a formula there.
  return `\uFEFF${Papa.unparse(rows, { escapeFormulae: true })}`;
}
