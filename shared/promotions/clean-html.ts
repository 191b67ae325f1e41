import { Parser } from 'htmlparser2';

/**
 * The elements of a description, each with the attributes it keeps. None of them makes a browser's parser change
 * its rules (as script, style, svg, math, template, noscript or select do), so the output is read as it was
 * written.
 */
const kept: Readonly<Record<string, readonly string[]>> = {
  ...bare('b strong i em u s del ins mark small sub sup code br hr p div span blockquote pre'),
  ...bare('h1 h2 h3 h4 h5 h6 ul ol li dl dt dd figure figcaption'),
  ...bare('table caption thead tbody tfoot tr'),
  th: ['colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
};

/** Elements without content, and so without an end tag. */
const empty = new Set(['br', 'hr', 'img']);

/** These are removed with their content; of any other element that is not in the list, the content stays. */
const droppedWhole = new Set(
  (
    'script style svg math iframe frameset object embed applet template noscript noembed noframes xmp ' +
    'plaintext textarea select title head audio video canvas'
  ).split(' '),
);

const attributeRules: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/|mailto:|tel:)/i,
  src: /^https?:\/\//i,
  width: /^\d{1,4}$/,
  height: /^\d{1,4}$/,
  colspan: /^\d{1,2}$/,
  rowspan: /^\d{1,2}$/,
};

/**
 * HTML that cannot run anything: parsed, and then written again from the list above. No markup of the input is
 * copied, so the output depends on that list only, even where this parser and a browser's would read the input
 * differently. Every opened element is closed. htmlparser2 is the parser of sanitize-html, which with its CSS
 * parser takes 190 kB of a function's 460 (and cannot be bundled as an ES module: postcss requires `path` at run
 * time); this takes 52 kB.
 */
export function cleanHtml(html: string): string {
  const written: string[] = [];
  const open: { name: string; dropped: boolean }[] = [];
  const dropping = () => open.at(-1)?.dropped ?? false;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      open.push({ name, dropped: dropping() || droppedWhole.has(name) });
      if (!dropping()) written.push(startTag(name, attributes));
    },
    ontext: (text) => {
      if (!dropping()) written.push(escaped(text));
    },
    // Reported for every start tag, also of elements without end tags and at the end of the text, and then even
    // for a last start tag that was cut off (`<p title=`) and never reported as open.
    onclosetag: (name) => {
      if (open.at(-1)?.name !== name) return;
      if (!dropping() && isKept(name) && !empty.has(name)) written.push(`</${name}>`);
      open.pop();
    },
  });
  parser.end(html);
  return written.join('');
}

function startTag(name: string, attributes: Record<string, string>): string {
  if (!isKept(name)) return '';
  const all = (kept[name] ?? []).flatMap((attribute) => {
    const value = attributes[attribute]?.trim();
    if (value === undefined || attributeRules[attribute]?.test(value) === false) return [];
    return [` ${attribute}="${escaped(value).replaceAll('"', '&quot;')}"`];
  });
  if (name === 'img' && !all.some((attribute) => attribute.startsWith(' src='))) return '';
  return `<${name}${all.join('')}>`;
}

function isKept(name: string): boolean {
  return Object.hasOwn(kept, name);
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Control characters are not allowed in HTML (tab and line breaks are), and browsers skip some of them in URLs. The parser
 * writes U+FFFD for references such as `&#0;`, which a request may not have.
 */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/g, '')
      .replace(/[&<>]/g, (character) => escapes[character] ?? '')
  );
}

function bare(names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, []]));
}
