import { useEffect, useState } from 'preact/hooks';
import { z } from 'zod';
import { type MissingClusters, missingField, missingSchema } from '../../src/api/fields.ts';
import { replaceReversing } from '../../src/kernel/visible-text.ts';
import { parseAnswer } from './answer.ts';

const settingsSchema = z.object({
  prefix: z.string(),
  version: z.string(),
  notice: z.string(),
  /** Whether replicas share a database. */
  replicas: z.boolean(),
});

/** Settings that the daemon writes into the page: route prefix, version, and a notice, for example about simulated data. */
export const settings = settingsSchema.parse(
  JSON.parse(document.querySelector('meta[name=graphwarden]')?.getAttribute('content') ?? ''),
);

/** Route prefix of the daemon. */
export const { prefix } = settings;

/** Data of a view. */
export interface Loaded<Value> {
  /** Latest value; undefined until the first answer. */
  readonly value: Value | undefined;
  /** When it was requested, ms since the epoch by the clock of the daemon. */
  readonly at: number | undefined;
  /** Why the latest request failed. */
  readonly error: string | undefined;
}

interface Schema<Value> {
  parse(value: unknown): Value;
}

/** Age in ms from which data counts as old. */
export const oldAfter = 20_000;

const refreshInterval = 5000;
const longestBackoff = 30_000;
const requestTimeout = 10_000;
/** Time in ms within which several changes cause one request. */
const changeDelay = 200;
/** Time in ms for long lists: many events per second must not make the daemon read its history all the time. */
export const historyDelay = 5000;
const pageSize = 1000;
/** Maximum number of loaded items: more than an operator can read. */
const maxItems = 20_000;

/** How far the clock of the daemon is ahead of the clock of this device, in ms. */
let clockOffset = 0;

/** Returns the time in ms since the epoch by the clock of the daemon: the clock of a phone may be wrong. */
export function daemonTime(): number {
  return Date.now() + clockOffset;
}

const problem = z.object({ detail: z.string() });

/** Refusal of a request; the message is a sentence. */
export class RequestError extends Error {
  /** HTTP status. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Sends a request and returns the successful response; the error of a rejection is a sentence. */
async function send(path: string, options: RequestInit = {}): Promise<Response> {
  const response = await globalThis
    .fetch(`${prefix}${path}`, { ...options, signal: AbortSignal.timeout(requestTimeout) })
    .catch(() => undefined);
  if (response === undefined) throw new Error('graphwarden does not answer');
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds.
  if (Math.abs(date + 500 - daemonTime()) > 2000) clockOffset = date + 500 - Date.now();
  if (response.ok) return response;
  const parsed = problem.safeParse(await bodyOf(response));
  const { status } = response;
  throw new RequestError(parsed.success ? parsed.data.detail : `graphwarden answered with status ${status}`, status);
}

/** Returns the body of an answer; undefined if it is not complete. */
function bodyOf(response: Response): Promise<unknown> {
  return response
    .text()
    .then(parseAnswer)
    .catch(() => undefined);
}

/** Sends a request to the API and returns the body. */
async function request(path: string, options: RequestInit = {}): Promise<unknown> {
  const body = await bodyOf(await send(path, options));
  if (body === undefined) throw new Error('the answer is not complete');
  return body;
}

/** Requests a page of metrics. */
export async function metricsOf(path: string): Promise<string> {
  return replaceReversing(await (await send(path)).text());
}

/** Performs an operator action. Resolves with its answer, or rejects with the sentence that explains the refusal. */
export function act(method: 'POST' | 'DELETE', path: string, body: unknown = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return request(path, { method, headers, body: JSON.stringify(body) }).finally(() => notifyChange());
}

/** Clusters that a loaded list lacks, because replicas did not answer. */
const missingParts = new WeakMap<object, readonly MissingClusters[]>();

/** Returns the clusters that loaded data lacks, because the replicas that own them did not answer. */
export function missingIn(value: unknown): readonly MissingClusters[] {
  return (typeof value === 'object' && value !== null ? missingParts.get(value) : undefined) ?? [];
}

/** Loads all pages of a list. */
export function listOf<Item>(path: string, item: z.ZodType<Item>): () => Promise<readonly Item[]> {
  const schema = z.object({ items: z.array(item).readonly(), total: z.number(), missing: missingField });
  return async () => {
    const items: Item[] = [];
    for (;;) {
      const paging = `limit=${pageSize}&offset=${items.length}`;
      const page = schema.parse(await request(`${path}${path.includes('?') ? '&' : '?'}${paging}`));
      items.push(...page.items);
      if (page.missing !== undefined) missingParts.set(items, page.missing);
      if (page.items.length === 0 || items.length >= Math.min(page.total, maxItems)) return items;
    }
  };
}

/** Loads one object. */
export function objectOf<Value>(path: string, schema: Schema<Value>): () => Promise<Value> {
  return async () => {
    const answer = await request(path);
    const value = schema.parse(answer);
    const { missing } = missingSchema.safeParse(answer).data ?? {};
    if (missing !== undefined && typeof value === 'object' && value !== null) missingParts.set(value, missing);
    return value;
  };
}

const listeners = new Set<() => void>();

/** Makes every view request its data again. */
function notifyChange(): void {
  for (const listener of listeners) listener();
}

/**
 * Returns the data that `load` requests: now, after each event of the daemon, and every few seconds, less often while
 * requests fail. `key` identifies the data. Events within `delay`, in ms, are answered by one request.
 */
export function useData<Value>(key: string, load: () => Promise<Value>, delay = changeDelay): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ value: undefined, at: undefined, error: undefined });
  useEffect(() => startLoading(load, setLoaded, delay), [key]);
  return loaded;
}

type Update<Value> = (change: (before: Loaded<Value>) => Loaded<Value>) => void;

function startLoading<Value>(load: () => Promise<Value>, update: Update<Value>, delay: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isLoading = false;
  let isEnded = false;
  let hasChanged = false;
  const schedule = (wait: number): void => {
    clearTimeout(timer);
    if (!isEnded) timer = setTimeout(() => void run(), wait);
  };
  const run = async (): Promise<void> => {
    isLoading = true;
    hasChanged = false;
    const started = performance.now();
    try {
      const value = await load();
      // The first answer corrects the clock, so the time of the request is known only now.
      const at = daemonTime() - (performance.now() - started);
      failures = 0;
      if (!isEnded) update(() => ({ value, at, error: undefined }));
    } catch (error) {
      failures += 1;
      const text = problemOf(error);
      if (!isEnded) update((before) => ({ ...before, error: text }));
    }
    isLoading = false;
    const backoff = Math.min(refreshInterval * 2 ** Math.min(failures, 5), longestBackoff);
    schedule(failures > 0 ? backoff : hasChanged ? delay : refreshInterval);
  };
  const onChange = (): void => {
    // Only the first change schedules a request: later changes would postpone it indefinitely.
    if (!hasChanged && !isLoading && failures === 0) schedule(delay);
    hasChanged = true;
  };
  listeners.add(onChange);
  void run();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    listeners.delete(onChange);
  };
}

/** Returns why a request failed, as part of a sentence. */
function problemOf(error: unknown): string {
  if (error instanceof z.ZodError) return `the answer is not as expected (${error.issues[0]?.path.join('.') ?? ''})`;
  return error instanceof Error ? error.message : String(error);
}

const shortestReconnect = 2000;

/** Connects to the event stream for as long as the page is open. `onState` is called with whether it is connected. */
export function connectEvents(onState: (isConnected: boolean) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = shortestReconnect;
  const connect = (): void => {
    source = new EventSource(`${prefix}/api/v1/events`);
    source.addEventListener('open', () => {
      delay = shortestReconnect;
      onState(true);
      notifyChange();
    });
    source.addEventListener('error', () => {
      onState(false);
      source?.close();
      timer = setTimeout(connect, delay);
      delay = Math.min(delay * 2, longestBackoff);
    });
    for (const kind of ['transition', 'decision', 'alert']) source.addEventListener(kind, notifyChange);
  };
  connect();
  // A phone stops the timers of a page in the background: on return, the data must not be old.
  document.addEventListener('visibilitychange', notifyChange);
  return () => {
    document.removeEventListener('visibilitychange', notifyChange);
    clearTimeout(timer);
    source?.close();
  };
}

/** Returns the time by the clock of the daemon, and renders the component again every second. */
export function useNow(): number {
  const [now, setNow] = useState(daemonTime());
  useEffect(() => {
    const timer = setInterval(() => setNow(daemonTime()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function readAddress(): string {
  return location.hash.replace(/^#\/?/, '');
}

/** Returns the view that the fragment of the address names, with its parameters: `#/queries?cluster=prod`. */
export function useAddress(): { readonly view: string; readonly parameters: URLSearchParams } {
  const [address, setAddress] = useState(readAddress());
  useEffect(() => {
    const onChange = (): void => setAddress(readAddress());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const [view = '', query = ''] = address.split('?');
  return { view, parameters: new URLSearchParams(query) };
}
