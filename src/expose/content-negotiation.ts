import type { Format } from './metrics-page.ts';

/** Format, encoding and headers of a response to a scrape. */
export interface NegotiatedFormat {
  readonly format: Format;
  readonly encoding: 'identity' | 'gzip';
  readonly contentType: string;
  /** Complete, including `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
}

interface AcceptChoice {
  /** In lower case. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const textType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Selects format and encoding from the headers of a request (names in lower case). A scraper that accepts no known
 * format gets text 0.0.4, as from the Prometheus client libraries; it is never rejected.
 */
export function negotiateFormat(headers: Readonly<Record<string, string>>): NegotiatedFormat {
  const contentType = chooseType(headers.accept ?? '');
  const encoding = chooseEncoding(headers['accept-encoding'] ?? '');
  return {
    format: contentType === textType ? 'text' : 'openmetrics',
    encoding,
    contentType,
    headers: {
      'content-type': contentType,
      vary: 'Accept, Accept-Encoding',
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    },
  };
}

function chooseType(accept: string): string {
  const known = parseChoices(accept).flatMap((choice) => {
    const type = contentTypeOf(choice);
    return type === undefined || choice.quality === 0 ? [] : [{ type, quality: choice.quality }];
  });
  // Among equals the first one wins: `>` and not `>=`.
  return known.reduce((best, one) => (one.quality > best.quality ? one : best), { type: textType, quality: 0 }).type;
}

/** Returns the content type for one media range; undefined for an unsupported one. */
function contentTypeOf({ value, parameters }: AcceptChoice): string | undefined {
  const version = parameters.get('version');
  if (value === 'application/openmetrics-text') {
    if (version !== undefined && version !== '1.0.0' && version !== '0.0.1') return undefined;
    return `application/openmetrics-text; version=${version ?? '1.0.0'}; charset=utf-8`;
  }
  if (value === 'text/plain') return version === undefined || version === '0.0.4' ? textType : undefined;
  return value === 'text/*' || value === '*/*' ? textType : undefined;
}

function chooseEncoding(acceptEncoding: string): 'identity' | 'gzip' {
  const named = new Map(parseChoices(acceptEncoding).map(({ value, quality }) => [value, quality]));
  const gzip = named.get('gzip') ?? named.get('x-gzip') ?? named.get('*') ?? 0;
  return gzip > 0 && gzip >= (named.get('identity') ?? 0) ? 'gzip' : 'identity';
}

/** Parses a list such as `a/b;version=1;q=0.5, c/d`. An invalid quality counts as 0. */
function parseChoices(header: string): readonly AcceptChoice[] {
  return header.split(',').flatMap((part) => {
    const [value = '', ...rest] = part.split(';').map((word) => word.trim().toLowerCase());
    if (value === '') return [];
    const parameters = new Map(rest.map(parseParameter));
    const quality = Number(parameters.get('q') ?? '1');
    return [{ value, parameters, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
  });
}

function parseParameter(text: string): [name: string, value: string] {
  const [name = '', value = ''] = text.split('=').map((word) => word.trim());
  return [name, value.replace(/^"(.*)"$/, '$1')];
}
