import type { Format } from './page.ts';

/** What a scraper gets, and the headers that say so. */
export interface Negotiated {
  readonly format: Format;
  readonly encoding: 'identity' | 'gzip';
  readonly contentType: string;
  /** Complete, `content-type` included. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Choice {
  /** In lower case. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const textType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Chooses format and encoding for a request's headers (names in lower case). A scraper that accepts nothing we
 * know gets text 0.0.4, as from Prometheus' own libraries; it is never refused.
 */
export function negotiate(headers: Readonly<Record<string, string>>): Negotiated {
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
  const known = choices(accept).flatMap((choice) => {
    const type = contentTypeOf(choice);
    return type === undefined || choice.quality === 0 ? [] : [{ type, quality: choice.quality }];
  });
  // Among equals the first one named wins: `>` and not `>=`.
  return known.reduce((best, one) => (one.quality > best.quality ? one : best), { type: textType, quality: 0 }).type;
}

/** The content type that answers one media range; undefined for what we do not speak. */
function contentTypeOf({ value, parameters }: Choice): string | undefined {
  const version = parameters.get('version');
  if (value === 'application/openmetrics-text') {
    if (version !== undefined && version !== '1.0.0' && version !== '0.0.1') return undefined;
    return `application/openmetrics-text; version=${version ?? '1.0.0'}; charset=utf-8`;
  }
  if (value === 'text/plain') return version === undefined || version === '0.0.4' ? textType : undefined;
  return value === 'text/*' || value === '*/*' ? textType : undefined;
}

function chooseEncoding(acceptEncoding: string): 'identity' | 'gzip' {
  const named = new Map(choices(acceptEncoding).map(({ value, quality }) => [value, quality]));
  const gzip = named.get('gzip') ?? named.get('x-gzip') ?? named.get('*') ?? 0;
  return gzip > 0 && gzip >= (named.get('identity') ?? 0) ? 'gzip' : 'identity';
}

/** Reads a list such as `a/b;version=1;q=0.5, c/d`. A quality that is no number counts as 0. */
function choices(header: string): readonly Choice[] {
  return header.split(',').flatMap((part) => {
    const [value = '', ...rest] = part.split(';').map((word) => word.trim().toLowerCase());
    if (value === '') return [];
    const parameters = new Map(rest.map(parameter));
    const quality = Number(parameters.get('q') ?? '1');
    return [{ value, parameters, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
  });
}

function parameter(text: string): [name: string, value: string] {
  const [name = '', value = ''] = text.split('=').map((word) => word.trim());
  return [name, value.replace(/^"(.*)"$/, '$1')];
}
