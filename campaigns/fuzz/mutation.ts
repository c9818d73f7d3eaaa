import fc from 'fast-check';

/** Maximum length of an input; above the length from which JSON is parsed in slices. */
const maxLength = 200_000;

/** Change of one place. */
type Edit = (input: string) => string;

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

/** Inputs that mutations are made from. */
export interface Origins {
  /** Recorded and kept inputs. */
  readonly seeds: readonly string[];
  /** Inputs that led to a new outcome. */
  readonly found: readonly string[];
  /** Inputs of both kinds that take much longer than others. */
  readonly slow: readonly string[];
}

const latin1 = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
/** Offset in an input, as a share of its length. */
const offset = fc.nat(9999).map((number) => number / 10_000);
const span = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.integer({ min: 1, max: 2000 }));
const times = fc.oneof({ weight: 49, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 1, max: 3000 }));
const piece = fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: latin1, minLength: 1, maxLength: 6 }));
/** JSON text of a value. */
const jsonText = fc.oneof(fc.constantFrom(...jsonValues), fc.jsonValue({ maxDepth: 1 }).map(toInputJson));

const valueEdit = fc.tuple(offset, jsonText).map(
  ([at, value]): Edit =>
    (input) =>
      withValue(input, at, value),
);
const otherEdits: readonly fc.Arbitrary<Edit>[] = [
  fc.tuple(offset, piece).map(([at, text]) => edit(at, (before, after) => before + text + after)),
  fc.tuple(offset, piece, span).map(([at, text, length]) => {
    return edit(at, (before, after) => before + text + after.slice(length));
  }),
  fc.tuple(offset, span).map(([at, length]) => edit(at, (before, after) => before + after.slice(length))),
  fc.tuple(offset, span, times).map(([at, length, count]) => {
    const repetitions = Math.min(count, Math.floor(maxLength / length));
    return edit(at, (before, after) => before + after.slice(0, length).repeat(repetitions) + after);
  }),
  fc.tuple(offset, fc.nat(7)).map(([at, bit]) => {
    return edit(at, (before, after) => before + flipped(after.slice(0, 1), bit) + after.slice(1));
  }),
  fc.tuple(offset, times).map(([at, count]) => edit(at, (before, after) => before + '['.repeat(count) + after)),
];

/** Returns inputs that differ in a few places from one of the origins. */
export function mutations({ seeds, found, slow }: Origins): fc.Arbitrary<string> {
  const fast = [...seeds, ...found];
  // Many inputs with a new outcome are invalid, and slow ones must not take most of the time.
  const origin = fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...(seeds.length > 0 ? seeds : slow)) },
    { weight: 20, arbitrary: fc.constantFrom(...(fast.length > 0 ? fast : slow)) },
    { weight: 1, arbitrary: fc.constantFrom(...(slow.length > 0 ? slow : fast)) },
  );
  const splice = fc.tuple(offset, span, origin).map(([at, length, other]) => {
    const from = Math.floor(at * other.length);
    return edit(at, (before, after) => before + other.slice(from, from + length) + after);
  });
  const anyEdit = fc.oneof(valueEdit, ...otherEdits, splice);
  // Most edits of other kinds make JSON invalid, which ends a reader early.
  const oneEdit = fc.oneof(valueEdit, anyEdit);
  return fc
    .tuple(origin, fc.oneof(fc.tuple(oneEdit), fc.array(oneEdit, { minLength: 1, maxLength: 4 })))
    .map(([text, edits]) => edits.reduce((input, change) => change(input), text).slice(0, maxLength));
}

/** Returns the edit that joins the text before and after an offset with `join`. */
function edit(at: number, join: (before: string, after: string) => string): Edit {
  return (input) => {
    const from = Math.floor(at * input.length);
    return join(input.slice(0, from), input.slice(from));
  };
}

/** Returns JSON as UTF-8, in which each character of the text is one byte. */
function toInputJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('latin1');
}

const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g;

/** Replaces one string, number or literal of a JSON text. */
function withValue(input: string, at: number, value: string): string {
  const matches = [...input.slice(0, 20_000).matchAll(jsonToken)];
  const found = matches[Math.floor(at * matches.length)];
  if (found === undefined) return input;
  return input.slice(0, found.index) + value + input.slice(found.index + found[0].length);
}

function flipped(character: string, bit: number): string {
  return character === '' ? '' : String.fromCharCode((character.codePointAt(0) ?? 0) ^ (1 << bit));
}
