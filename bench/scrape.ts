import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { nanoseconds } from './quantile.ts';

/** How a scraper asks. */
export type Encoding = 'identity' | 'gzip';

/** One scrape: how long from the request to the last byte, and what came. */
export interface Scrape {
  readonly millis: number;
  readonly bytes: Buffer;
  readonly encoding: Encoding;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** One scrape over a connection that stays open, as Prometheus does it. Anything but 200 throws. */
export function scrape(url: string, encoding: Encoding): Promise<Scrape> {
  const from = nanoseconds();
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { agent, headers: { 'accept-encoding': encoding, accept: 'text/plain' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const millis = (nanoseconds() - from) / 1e6;
          if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
          else resolve({ millis, bytes: Buffer.concat(chunks), encoding });
        });
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

/** The text of a scrape. */
export function textOf({ bytes, encoding }: Scrape): string {
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** The value of the first sample of a family, NaN where the page has none. */
export function firstValue(text: string, name: string): number {
  const found = new RegExp(`^${name}(?:\\{[^\\n]*\\})? (\\S+)`, 'm').exec(text);
  return Number(found?.[1] ?? Number.NaN);
}

/** Closes the connections that stayed open. */
export function closeScrapers(): void {
  agent.destroy();
}
