import type { FamilyType } from '../model/exposition.ts';

const tab = 9;
const space = 32;
const quote = 34;
const hash = 35;
const plus = 43;
const minus = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const backslash = 92;
const lowerE = 101;
const openBrace = 123;
const closeBrace = 125;

/** Metadata line with its family and its text. `EOF` has neither. */
export interface Metadata {
  readonly kind: 'HELP' | 'TYPE' | 'UNIT' | 'EOF';
  readonly name: string;
  readonly text: string;
}

/** The name and the labels of a sample line, labels in the order of the line and unescaped. */
export interface SeriesText {
  readonly name: string;
  readonly pairs: readonly string[];
}

/** Position after the blanks that begin at `from`. */
export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the position after `name` or `name{labels}` that begins at `from`; −1 if a brace or a quote is not closed. */
export function seriesEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isBlank(text.charCodeAt(at)) && text.charCodeAt(at) !== openBrace) at += 1;
  const brace = skipBlanks(text, at, end);
  return brace < end && text.charCodeAt(brace) === openBrace ? closingBrace(text, brace + 1, end) : at;
}

function closingBrace(text: string, from: number, end: number): number {
  let quoted = false;
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted && code === backslash) at += 1;
    else if (code === quote) quoted = !quoted;
    else if (code === closeBrace && !quoted) return at + 1;
  }
  return -1;
}

/**
 * Syntax of `name{labels}`. `clean`: as standard client libraries write it, so that it can be passed through unchanged.
 * `ordered`: clean, with sorted labels of which none is repeated or empty, so that the text also identifies the series.
 */
export type SeriesSyntax = 'ordered' | 'clean' | 'odd';

/** Classifies a text that {@link seriesEnd} delimited; cheaper than {@link parseSeries}. */
export function classifySyntax(text: string): SeriesSyntax {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*(?:$|\{)/.exec(text)?.[0];
  if (name === undefined) return 'odd';
  if (name.length === text.length) return text.endsWith('{') ? 'odd' : 'ordered';
  const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,(?!\})|(?=\}$))/y;
  label.lastIndex = name.length;
  let at = name.length;
  let last = '';
  let ordered = true;
  for (let match = label.exec(text); match !== null; match = label.exec(text)) {
    const [, labelName = '', value] = match;
    ordered &&= labelName > last && value !== '' && labelName !== '__name__';
    last = labelName;
    at = label.lastIndex;
  }
  if (at !== text.length - 1 || last === '') return 'odd';
  return ordered ? 'ordered' : 'clean';
}

/** Parses `name{labels}`; undefined if the text is invalid. */
export function parseSeries(text: string): SeriesText | undefined {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(text)?.[0];
  if (name === undefined) return undefined;
  const brace = skipBlanks(text, name.length, text.length);
  if (brace === text.length) return { name, pairs: [] };
  const pairs = text[brace] === '{' ? parseLabels(text, brace + 1) : undefined;
  return pairs === undefined ? undefined : { name, pairs };
}

function parseLabels(text: string, from: number): readonly string[] | undefined {
  const label = /[ \t]*([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*=[ \t]*"([^"\\]*(?:\\.[^"\\]*)*)"[ \t]*(?:,|(?=\}))/y;
  const pairs: string[] = [];
  const seen = new Set<string>(['__name__']);
  let at = from;
  label.lastIndex = at;
  for (let match = label.exec(text); match !== null; match = label.exec(text)) {
    const [, name = '', value = ''] = match;
    if (seen.has(name)) return undefined;
    seen.add(name);
    pairs.push(name, unescapeText(value));
    at = label.lastIndex;
  }
  return skipBlanks(text, at, text.length) === text.length - 1 ? pairs : undefined;
}

/** Unescapes `\\`, `\"` and `\n`; any other pair is kept, as in Prometheus. */
function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(["\\n])/g, (_, code: string) => (code === 'n' ? '\n' : code));
}

/**
 * Returns the same text for all spellings of a series: sorted labels, without empty ones. For a line in this form, it is the
 * text of the line.
 */
export function canonicalSeries(series: SeriesText): string {
  const labels: string[] = [];
  for (let at = 0; at < series.pairs.length; at += 2) {
    const value = series.pairs[at + 1] ?? '';
    if (value !== '') labels.push(`${series.pairs[at]}="${escapeText(value)}"`);
  }
  return labels.length === 0 ? series.name : `${series.name}{${labels.toSorted().join(',')}}`;
}

function escapeText(value: string): string {
  return value.replace(/["\\\n]/g, (code) => (code === '\n' ? '\\n' : `\\${code}`));
}

/** Returns the end of the number that begins at `from`; −1 if {@link parseValue} must parse it. */
export function plainNumberEnd(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === minus ? from + 1 : from;
  const whole = at;
  at = digitsEnd(bytes, at);
  if (at === whole) return -1;
  if (bytes[at] === dot) at = digitsEnd(bytes, at + 1);
  if (bytes[at] === lowerE) {
    const sign = bytes[at + 1] === minus || bytes[at + 1] === plus ? 1 : 0;
    const exponent = at + 1 + sign;
    at = digitsEnd(bytes, exponent);
    if (at === exponent || at - exponent > 2) return -1;
  }
  // A number with an exponent of two digits and 200 other digits fits into a double.
  return at - from > 200 ? -1 : at;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let code = bytes[at]; code !== undefined && code >= zero && code <= nine; code = bytes[at]) at += 1;
  return at;
}

/** Parses the value at `from` and checks the rest of the line; undefined if the line is invalid. */
export function parseValue(text: string, from: number, end: number): string | undefined {
  const start = skipBlanks(text, from, end);
  let stop = start;
  let odd = 0;
  for (; stop < end; stop += 1) {
    const code = text.charCodeAt(stop);
    if (isBlank(code)) break;
    if (code < zero || code > nine) odd += code === dot ? 1 : 2;
  }
  if (stop === start || (stop < end && !isTrailer(text, stop, end))) return undefined;
  const value = text.slice(start, stop);
  // Fast path: most values are digits with at most one dot between them, and short enough not to overflow.
  const easy = odd < 2 && value.length < 300 && text.charCodeAt(start) !== dot;
  return easy ? value : parseUnusualValue(value);
}

function parseUnusualValue(value: string): string | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) {
    return Number.isFinite(Number(value)) ? value : undefined;
  }
  if (/^nan$/i.test(value)) return 'NaN';
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(value);
  return infinity === null ? undefined : `${infinity[1] === '-' ? '-' : '+'}Inf`;
}

/** Returns whether the rest of a line after the value is valid: a timestamp, an exemplar, or blanks. */
function isTrailer(text: string, from: number, end: number): boolean {
  const at = skipBlanks(text, from, end);
  return at === end || text.charCodeAt(at) === hash || /^[+-]?\d+(?:\.\d*)?[ \t]*(?:#.*)?$/.test(text.slice(at, end));
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

/** Parses a line that begins with `#`; undefined for a plain comment. */
export function parseMetadata(line: string): Metadata | undefined {
  const match = /^#[ \t]*(HELP|TYPE|UNIT)[ \t]+([a-zA-Z_:][a-zA-Z0-9_:]*)(?:[ \t]+(.*))?$/s.exec(line);
  if (match === null) return /^#[ \t]*EOF[ \t]*$/.test(line) ? { kind: 'EOF', name: '', text: '' } : undefined;
  const [, kind, name = '', text = ''] = match;
  if (kind === 'HELP') return { kind, name, text: unescapeText(text) };
  return { kind: kind === 'TYPE' ? 'TYPE' : 'UNIT', name, text: text.trim() };
}

/** Returns the family type of a TYPE line; types that the classic format lacks are untyped. */
export function familyType(text: string): FamilyType {
  if (text === 'counter' || text === 'gauge' || text === 'histogram' || text === 'summary') return text;
  return text === 'stateset' ? 'gauge' : 'untyped';
}
