import fc from 'fast-check';

/** Longest input: above the length from which JSON is parsed in slices. */
const maxLength = 200_000;

const editKinds = ['value', 'insert', 'replace', 'delete', 'repeat', 'flip', 'nest', 'splice'] as const;

/** Change of one place, at a share of the length of the input. */
interface Edit {
  readonly kind: (typeof editKinds)[number];
  readonly at: number;
  readonly length: number;
  readonly times: number;
  readonly text: string;
  /** JSON text of a value. */
  readonly value: string;
  /** Another seed, from which `splice` takes a piece. */
  readonly other: string;
}

/** Values and syntax that readers treat specially. */
const tokens: readonly string[] = [
  '-1',
  '0',
  '1e999',
  '9007199254740993',
  '99999999999999999999',
  '1.5',
  'NaN',
  '+Inf',
  '-0',
  '0x1f',
  '1_000',
  'null',
  'true',
  '""',
  '[]',
  '{}',
  '[[',
  '{"',
  '"}',
  '\\u0000',
  '\\ud800',
  '__proto__',
  'constructor',
  'error',
  '\0',
  '\n',
  '\r\n',
  '\t',
  '\x1b[2J',
  '\xff',
  '\xef\xbb\xbf',
  '\xe2\x80\xae',
  ' ',
  ',',
  ':',
  '"',
  "'",
  '#',
  '%00',
  '&a ',
  '*a',
  '!!js',
  '|',
  '>',
  '---\n',
  '${X}',
  '${',
  '<<: *a',
  '- ',
  '? ',
  '../',
  '//',
  '?',
  '&',
  '%',
  ';',
  '=',

  'GPE',
  'all',
  'results',
  'requestid',
  'enforce',
  'observe',
  'guard:\n',
  'GET / HTTP/1.1\r\n',
  'Host: x\r\n',
  '\r\n\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 99999999\r\n',
  'Expect: 100-continue\r\n',
  '# TYPE ',
  '{le="',
];

/** Values that readers treat specially, as JSON texts. */
const jsonValues: readonly string[] = [
  ...tokens.map((token) => JSON.stringify(token)),
  '-1',
  '0',
  '1.5',
  '1e999',
  '9007199254740993',
  '99999999999999999999',
  'null',
  'true',
  '[]',
  '{}',
  '[[]]',
  '[null]',
];

/** Returns inputs that differ in a few places from one of `seeds`, or from one of those that led to a new outcome. */
export function mutations(seeds: readonly string[], found: readonly string[]): fc.Arbitrary<string> {
  // Many of the latter are invalid.
  const seed = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...seeds) }, fc.constantFrom(...seeds, ...found));
  const edit: fc.Arbitrary<Edit> = fc.record({
    // Most other edits make JSON invalid, which ends a reader early.
    kind: fc.oneof(fc.constant('value' as const), fc.constantFrom(...editKinds)),
    at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
    length: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.integer({ min: 1, max: 2000 })),
    times: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 1, max: 3000 })),
    text: fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: latin1, minLength: 1, maxLength: 6 })),
    value: fc.oneof(fc.constantFrom(...jsonValues), fc.jsonValue({ maxDepth: 1 }).map(toInputJson)),
    other: seed,
  });
  return fc
    .tuple(
      seed,
      fc.oneof(fc.array(edit, { minLength: 1, maxLength: 1 }), fc.array(edit, { minLength: 1, maxLength: 4 })),
    )
    .map(([text, edits]) => edits.reduce(applyEdit, text).slice(0, maxLength));
}

const latin1 = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));

function applyEdit(input: string, { kind, at, length, times, text, value, other }: Edit): string {
  const from = Math.floor(at * input.length);
  const [before, after] = [input.slice(0, from), input.slice(from)];
  if (kind === 'insert') return before + text + after;
  if (kind === 'replace') return before + text + after.slice(length);
  if (kind === 'delete') return before + after.slice(length);
  if (kind === 'repeat') return before + after.slice(0, length).repeat(repetitions(times, length)) + after;
  if (kind === 'value') return withValue(input, at, value);
  if (kind === 'flip') return before + flipped(after.slice(0, 1), length) + after.slice(1);
  if (kind === 'nest') return before + '['.repeat(times) + after;
  return before + other.slice(Math.floor(at * other.length)).slice(0, length) + after;
}

/** JSON as UTF-8, each character of which is one byte. */
function toInputJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('latin1');
}

const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g;

/** Replaces one string, number or literal of a JSON text. */
function withValue(input: string, at: number, value: string): string {
  const places = [...input.slice(0, 20_000).matchAll(jsonToken)];
  const place = places[Math.floor(at * places.length)];
  if (place === undefined) return input;
  return input.slice(0, place.index) + value + input.slice(place.index + place[0].length);
}

function repetitions(times: number, length: number): number {
  return Math.min(times, Math.floor(maxLength / length));
}

function flipped(character: string, bit: number): string {
  return character === '' ? '' : String.fromCharCode((character.codePointAt(0) ?? 0) ^ (1 << (bit % 8)));
}
