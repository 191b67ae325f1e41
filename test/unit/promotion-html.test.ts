import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanHtml } from '../../shared/promotions/clean-html.ts';
import { runs, seed } from '../support/property-runs.ts';

test.each([
  '<h2>Two for one</h2><p>On <b>all</b> <em>draught</em> beer,<br>every day</p>',
  '<ul><li>one</li><li>two</li></ul><ol><li>first</li></ol>',
  '<table><thead><tr><th colspan="2">Price</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  '<a href="https://bars.example/menu?a=1&amp;b=2" title="Menu">menu</a>',
  '<a href="mailto:hello@bars.example">write</a> <a href="tel:+74956211963">call</a>',
  '<img src="https://bars.example/beer.png" alt="Beer" width="320" height="200">',
  'Скидка 15 % — 2 &lt; 3 &amp; «кавычки», "quotes" 🍺',
  'line one\nline two\tend',
])('a description keeps %s', (html) => {
  expect(cleanHtml(html)).toBe(html);
});

test.each([
  ['a script', 'a<script>alert(1)</script>b', 'ab'],
  ['a script cut in two', '<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
  [
    'an event handler',
    '<img src="https://x.example/a.png" onerror="alert(1)">',
    '<img src="https://x.example/a.png">',
  ],
  [
    'a size that is no number of pixels',
    '<img src="https://x.example/a.png" width="100%" height="99999">',
    '<img src="https://x.example/a.png">',
  ],
  [
    'a cell over too many others',
    '<table><tr><td colspan="100" rowspan="all">t</td></tr></table>',
    '<table><tr><td>t</td></tr></table>',
  ],
  ['an image without a source', '<img src=x onerror=alert(1)>t', 't'],
  ['a style attribute', '<p style="background:url(javascript:alert(1))">t</p>', '<p>t</p>'],
  ['a javascript link', '<a href="javascript:alert(1)">t</a>', '<a>t</a>'],
  ['one in entities', '<a href="&#x6A;&#97;vascript&#58;alert(1)">t</a>', '<a>t</a>'],
  ['a data image', '<img src="data:image/svg+xml,x">t', 't'],
  ['a style', '<style>@import "https://evil.example"</style>t', 't'],
  ['a data link', '<a href="data:text/html,<script>alert(1)</script>">t</a>', '<a>t</a>'],
  ['an address without a scheme', '<a href="//evil.example">t</a><img src="/a.png">', '<a>t</a>'],
  ['an svg with html in it', '<svg><p><style><img src=x onerror=alert(1)></style></svg>t', 't'],
  ['a formula', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></math>t', ''],
  [
    'a form, but not its words',
    '<form action="javascript:alert(1)"><button formaction=x>t</button></form>',
    't',
  ],
  ['a base', '<base href="https://evil.example/">t', 't'],
  ['a comment', 'a<!-- <script>alert(1)</script> -->b<!--[if IE]><script>1</script><![endif]-->', 'ab'],
  ['a noscript that hides an attribute', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
  ['a name that objects have', '<constructor>t</constructor><valueof>u</valueof>', 'tu'],
  ['a control character', 'a\u0000b\u0008c\u009fd', 'abcd'],
  ['a reference to no character', 'a&#0;b', 'ab'],
])('a description loses %s', (_what, html, clean) => {
  expect(cleanHtml(html)).toBe(clean);
});

test('elements are closed in the order in which they were opened', () => {
  expect(cleanHtml('<b><i>x</b>y</i>')).toBe('<b><i>x</i></b>y');
  expect(cleanHtml('<ul><li>a<li>b')).toBe('<ul><li>a</li><li>b</li></ul>');
  expect(cleanHtml('</div></div>t')).toBe('t');
});

test('text that was escaped stays text', () => {
  expect(cleanHtml('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(cleanHtml('&amp;lt;b>')).toBe('&amp;lt;b&gt;');
});

const words =
  '!--|-->|![CDATA[|]]>|script|style|svg|math|img|a|b|p|table|td|select|template|title|noscript|textarea|xmp|plaintext|' +
  'iframe|foreignObject|annotation-xml|mglyph|br|<p |<a href=|<img src=| onerror=| style=|javascript:|https://|&#106;|' +
  '&Tab;|&lt;|</script>|</style>|</svg>|</title>|</p>|</b>|alert(1)|ж|🍺';
const pieces = ['\u0000', ...'<>"\'`/=&; \t\n?', ...words.split('|')];

/** The only markup that may remain: text, and the allowed elements with their allowed attributes, correctly quoted. */
const harmless =
  /^(?:[^<>]|<\/?(?:b|p|table|td|a)>|<br>|<a(?: (?:href="(?:https?:\/\/|mailto:|tel:)[^"<>]*"|title="[^"<>]*"))*>|<td(?: (?:col|row)span="\d+")*>|<img(?: (?:src="https?:\/\/[^"<>]*"|(?:alt|title|width|height)="[^"<>]*"))*>)*$/iu;

test('whatever is put together, only harmless markup comes out, and it stays the same when sent again', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const clean = cleanHtml(parts.join(''));
      expect(clean).toMatch(harmless);
      expect(cleanHtml(clean)).toBe(clean);
    }),
    { seed, numRuns: runs(5_000) },
  );
});
