import { Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';
import { request as openTlsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** Complete reply. `bytes` is the body as received, `text` the decompressed body. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Options of a request. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** PEM of the authority to trust, for https. */
  readonly ca?: string;
  readonly signal?: AbortSignal;
  /** Unix socket to connect to instead of the address. */
  readonly socketPath?: string;
  /** Agent whose connections the request may use, instead of one of its own. */
  readonly agent?: Agent;
}

/** Check of an answer of a daemon; throws if the API document of the daemon does not declare the answer. */
export type AnswerCheck = (target: string, options: RequestOptions, reply: Reply) => Promise<void>;

const answerChecks = new Map<string, AnswerCheck>();

/** Checks each answer of the API of the daemon at `url` from now on. */
export function checkAnswersOf(url: string, check: AnswerCheck): void {
  answerChecks.set(new URL(url).origin, check);
}

/** Sends a request like {@link sendUnchecked}. Also rejects if the answer is not declared in the API document of the daemon. */
export async function send(url: string, options: RequestOptions = {}): Promise<Reply> {
  const reply = await sendUnchecked(url, options);
  const { origin, pathname, search } = new URL(url);
  const at = pathname.indexOf('/api/v1/');
  if (at >= 0) await answerChecks.get(origin)?.(pathname.slice(at) + search, options, reply);
  return reply;
}

/** Sends one request, by default on its own connection, so that no connection stays open after a test. Rejects without a reply. */
export function sendUnchecked(url: string, options: RequestOptions = {}): Promise<Reply> {
  const { body, ...rest } = options;
  const secure = url.startsWith('https:');
  return new Promise((resolve, reject) => {
    const open = secure ? openTlsRequest : openRequest;
    const request = open(url, { agent: secure ? false : new Agent({ keepAlive: false }), ...rest }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const packed = response.headers['content-encoding'] === 'gzip';
        const text = (packed ? gunzipSync(bytes) : bytes).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Returns the JSON of a reply; the test fails unless its status is 200. */
export async function readJson(url: string, options: RequestOptions = {}): Promise<unknown> {
  const { status, text } = await send(url, options);
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}
