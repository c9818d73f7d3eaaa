import {
  checkFamily,
  type ExpositionExemplar,
  type ExpositionFamily,
  type ExpositionFormat,
  type ExpositionSample,
  seriesKey,
} from './exposition-family.ts';

interface OpenFamily extends ExpositionFamily {
  readonly seen: Set<string>;
  readonly samples: ExpositionSample[];
}

const types: Readonly<Record<ExpositionFormat, readonly string[]>> = {
  text: ['counter', 'gauge', 'histogram', 'summary', 'untyped'],
  openmetrics: ['counter', 'gauge', 'histogram', 'summary', 'unknown', 'info', 'stateset', 'gaugehistogram'],
};
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total', '_created'],
  histogram: ['_bucket', '_sum', '_count', '_created'],
  gaugehistogram: ['_bucket', '_gsum', '_gcount'],
  summary: ['', '_sum', '_count', '_created'],
  info: ['_info'],
};
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?[ \t]+(\S+)(?:[ \t]+(\S+))?$/;
const exemplarEnd = /^(.*?) # \{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} (\S+)(?: (\S+))?$/;
const oneLabel = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"/;
const number = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Inf|inf|Infinity|NaN|nan)$/;

/**
 * Parses a page strictly by the specifications of the text format 0.0.4 and OpenMetrics 1.0. Throws an error with the line
 * number at the first violation. It is slow and simple, and shares no code with the program, so that it shares no bug either.
 */
export function readExposition(page: string, format: ExpositionFormat): ReadonlyMap<string, ExpositionFamily> {
  const reader = new Reader(format);
  const lines = page.split('\n');
  if (page !== '' && lines.pop() !== '') throw new Error('the last line does not end with a line feed');
  if (format === 'openmetrics' && lines.pop() !== '# EOF') throw new Error('the last line is not # EOF');
  for (const [at, line] of lines.entries()) {
    try {
      reader.line(line);
    } catch (error) {
      throw new Error(`line ${at + 1}: ${error instanceof Error ? error.message : ''}: ${line.slice(0, 200)}`, {
        cause: error,
      });
    }
  }
  reader.end();
  return reader.families;
}

class Reader {
  readonly families = new Map<string, OpenFamily>();
  readonly #format: ExpositionFormat;
  #open: OpenFamily | undefined;

  constructor(format: ExpositionFormat) {
    this.#format = format;
  }

  line(line: string): void {
    if (line.includes('\r')) throw new Error('a carriage return');
    if (line.trim() === '') this.#blank(line);
    else if (line.startsWith('#')) this.#comment(line);
    else this.#sample(line);
  }

  end(): void {
    for (const family of this.families.values()) checkFamily(family, this.#format);
  }

  #blank(line: string): void {
    if (this.#format === 'openmetrics' || line !== '') throw new Error('a blank line');
  }

  #comment(line: string): void {
    const [, word, name = '', text = ''] = /^# (HELP|TYPE|UNIT) (\S+)(?: (.*))?$/.exec(line) ?? [];
    if (word === undefined) {
      if (this.#format === 'openmetrics') throw new Error('a comment');
      return;
    }
    if (!metricName.test(name)) throw new Error('not a metric name');
    this.#describe(name, word.toLowerCase(), text);
  }

  #describe(name: string, word: string, text: string): void {
    const family = this.#open?.name === name ? this.#open : this.#begin(name);
    if (family.samples.length > 0) throw new Error(`${word} after a sample`);
    if (family.seen.has(word)) throw new Error(`a second ${word}`);
    family.seen.add(word);
    if (word === 'type' && !types[this.#format].includes(text)) throw new Error('not a type');
    this.#replace({ ...family, [word]: word === 'help' ? unescaped(text, this.#format === 'openmetrics') : text });
  }

  #sample(line: string): void {
    const { sample, key } = this.#format === 'text' ? cachedSample(line) : readSample(line, this.#format);
    const family = this.#owns(sample.name) ?? this.#begin(sample.name);
    if (family.seen.has(key)) throw new Error('a second sample of this series');
    family.seen.add(key);
    family.samples.push(sample);
  }

  /** Returns the open family if a sample of this name belongs to it. */
  #owns(name: string): OpenFamily | undefined {
    const family = this.#open;
    if (family === undefined) return undefined;
    const plainCounter = this.#format === 'text' && family.type === 'counter';
    const endings = plainCounter ? [''] : (suffixes[family.type] ?? ['']);
    return endings.some((ending) => name === family.name + ending) ? family : undefined;
  }

  #begin(name: string): OpenFamily {
    if (this.families.has(name)) throw new Error(`the lines of ${name} are not together`);
    const type = this.#format === 'text' ? 'untyped' : 'unknown';
    return this.#replace({ name, type, help: '', unit: '', samples: [], seen: new Set() });
  }

  #replace(family: OpenFamily): OpenFamily {
    this.families.set(family.name, family);
    this.#open = family;
    return family;
  }
}

/** Sample of a line, and the key of its series. */
interface ReadSample {
  readonly sample: ExpositionSample;
  readonly key: string;
}

/** Lines of earlier pages: most lines of a page are on the next one as well. */
const knownLines = new Map<string, ReadSample>();

function cachedSample(line: string): ReadSample {
  const before = knownLines.get(line);
  if (before !== undefined) return before;
  const read = readSample(line, 'text');
  if (knownLines.size === maxKnown) knownLines.clear();
  knownLines.set(line, read);
  return read;
}

function readSample(line: string, format: ExpositionFormat): ReadSample {
  const { bare, exemplar } = format === 'openmetrics' ? readExemplar(line) : { bare: line };
  const [, name = '', labelText = '', valueText = '', timeText] = sampleLine.exec(bare) ?? [];
  if (name === '') throw new Error('not a sample');
  if (format === 'openmetrics' && /\t| {2}/.test(bare.replace(/"(?:[^"\\]|\\.)*"/g, '')))
    throw new Error('more than one space');
  const { labels, key } = seriesOf(name, labelText, format);
  const timestamp = timeText === undefined ? {} : { timestamp: readNumber(timeText) };
  return { sample: { name, labels, value: readNumber(valueText), ...timestamp, ...(exemplar && { exemplar }) }, key };
}

/** Splits a line at the start of its exemplar: a number sign outside of quotes. */
function readExemplar(line: string): { readonly bare: string; readonly exemplar?: ExpositionExemplar } {
  const masked = line.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => '"'.padEnd(quoted.length, '_'));
  const at = masked.indexOf(' # ');
  if (at < 0) return { bare: line };
  const [, , labels = '', value, time] = exemplarEnd.exec(`x${line.slice(at)}`) ?? [];
  if (value === undefined) throw new Error('not an exemplar');
  const timestamp = time === undefined ? {} : { timestamp: readNumber(time) };
  return {
    bare: line.slice(0, at),
    exemplar: { labels: readLabels(labels, false), value: readNumber(value), ...timestamp },
  };
}

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly key: string;
}

/** Series of earlier pages: most series of a page are on the next one as well. */
const known = new Map<string, Series>();
const maxKnown = 100_000;

function seriesOf(name: string, text: string, format: ExpositionFormat): Series {
  const written = `${format} ${name}{${text}`;
  const before = known.get(written);
  if (before !== undefined) return before;
  const labels = readLabels(text, format === 'text');
  const series = { labels, key: seriesKey(name, labels) };
  if (known.size === maxKnown) known.clear();
  known.set(written, series);
  return series;
}

function readLabels(text: string, trailingComma: boolean): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text.trim();
  while (rest !== '') {
    const [whole, name = '', value = ''] = oneLabel.exec(rest) ?? [];
    if (whole === undefined) throw new Error('not a label');
    if (name in labels) throw new Error(`label ${name} twice`);
    labels[name] = unescaped(value, true);
    rest = rest.slice(whole.length).trimStart();
    if (rest === '') return labels;
    if (!rest.startsWith(',')) throw new Error('labels without a comma');
    rest = rest.slice(1).trimStart();
    if (rest === '' && !trailingComma) throw new Error('a comma after the last label');
  }
  return labels;
}

function unescaped(text: string, quotes: boolean): string {
  return text.replace(/\\(.)/g, (pair, notification: string) => {
    if (notification === 'n') return '\n';
    if (notification === '\\' || (quotes && notification === '"')) return notification;
    throw new Error(`not an escape: ${pair}`);
  });
}

function readNumber(text: string): number {
  if (!number.test(text)) throw new Error(`not a number: ${text}`);
  if (/nan/i.test(text)) return Number.NaN;
  if (/inf/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}
