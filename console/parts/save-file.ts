export function saveCsv(name: string, text: string): void {
  // The byte order mark tells Excel that this is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Some browsers begin the download later.
  setTimeout(URL.revokeObjectURL, 60_000, url);
}
