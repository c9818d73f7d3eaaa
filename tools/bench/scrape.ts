import { gunzipSync } from 'node:zlib';
import { nanoseconds } from './quantile.ts';
import { RawHttpConnection } from './raw-http.ts';

/** Encoding that a scraper requests. */
export type Encoding = 'identity' | 'gzip';

/** Result of a scrape: time from the request to the last byte, and the body. */
export interface Scrape {
  readonly millis: number;
  readonly bytes: Buffer;
  readonly encoding: Encoding;
}

const connections = new Map<string, RawHttpConnection>();

/** Scrapes over a connection that stays open, as Prometheus does. Throws for any status other than 200. */
export async function scrape(url: string, encoding: Encoding): Promise<Scrape> {
  const kept = connections.get(url);
  const connection = kept?.open === true ? kept : new RawHttpConnection(url);
  connections.set(url, connection);
  const from = nanoseconds();
  await connection.request({ 'accept-encoding': encoding, accept: 'text/plain' });
  const millis = (nanoseconds() - from) / 1e6;
  const { status, body } = connection.responseBytes();
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return { millis, bytes: body, encoding };
}

/** Returns the decompressed text of a scrape. */
export function textOf({ bytes, encoding }: Scrape): string {
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Returns the value of the first sample of a family; NaN if the page has none. */
export function firstValue(text: string, name: string): number {
  const found = new RegExp(`^${name}(?:\\{[^\\n]*\\})? (\\S+)`, 'm').exec(text);
  return Number(found?.[1] ?? Number.NaN);
}

/** Returns the samples of a family: labels in braces, and value. */
export function seriesOf(text: string, name: string): readonly (readonly [labels: string, value: number])[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.map((line) => {
    const end = line.lastIndexOf(' ');
    return [line.slice(name.length, end), Number(line.slice(end + 1))] as const;
  });
}

/** Returns the sum of the samples of a family. */
export function sumOf(text: string, name: string): number {
  return seriesOf(text, name).reduce((sum, [, value]) => sum + value, 0);
}

/** Closes all open connections. */
export function closeScrapers(): void {
  for (const connection of connections.values()) connection.close();
  connections.clear();
}
