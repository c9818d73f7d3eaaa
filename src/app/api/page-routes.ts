import { type BuiltPageFile, builtPageSchema } from '../../api/status-page.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ReadStatusPage } from '../../kernel/system.ts';
import { escapeHtml } from '../../kernel/visible-text.ts';
import { problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the routes of the status page. */
export interface PageRouteDependencies {
  readonly read: ReadStatusPage;
  readonly version: string;
  /** Notice at the top of the page. */
  readonly notice?: string;
  /** Whether replicas share a database. */
  readonly hasReplicas?: boolean;
  readonly prefix: () => string;
}

/** Files of the built page by name, such as `index.html`. */
type PageFiles = ReadonlyMap<string, BuiltPageFile>;

type LoadFiles = () => Promise<Result<PageFiles, string>>;

const errors: Readonly<Record<number, string>> = { 503: 'The status page is not built.' };

/** Only files and requests of the daemon itself: no inline code, no outside resources, no frames. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the routes of the status page: the document, the runbook, and the files that they load. */
export function pageRoutes(dependencies: PageRouteDependencies): readonly Route[] {
  const load = cachedFiles(dependencies.read);
  return [
    {
      method: 'GET',
      path: '/',
      about: 'Returns the status page.',
      response: { type: 'text/html' },
      errorResponses: errors,
      handle: async () => await documentReply(dependencies, load, 'index.html'),
    },
    {
      method: 'GET',
      path: '/docs/runbook',
      about: 'Returns the runbook of the running version, with an anchor for each alert rule.',
      response: { type: 'text/html' },
      errorResponses: errors,
      handle: async () => await documentReply(dependencies, load, 'docs/runbook.html'),
    },
    {
      method: 'GET',
      path: '/incidents/{id}',
      about: 'Returns the status page with one incident. Notifications link to it.',
      response: { type: 'text/html' },
      errorResponses: errors,
      handle: async (_, { id = '' }) => await documentReply(dependencies, load, 'index.html', id),
    },
    {
      method: 'GET',
      path: '/assets/{file}',
      about: 'Returns a file of the status page.',
      response: { type: 'text/javascript' },
      errorResponses: { ...errors, 404: 'The page has no such file.' },
      handle: async (request, { file = '' }) => await assetReply(load, file, request),
    },
  ];
}

/** Reads the files at the first request, because most daemons never send them. */
function cachedFiles(read: ReadStatusPage): LoadFiles {
  let files: PageFiles | undefined;
  return async () => {
    if (files !== undefined) return ok(files);
    const text = await read();
    if (text === undefined) return err('The status page is not built: run «npm run page».');
    files = new Map(builtPageSchema.parse(JSON.parse(text)).files.map((file) => [file.name, file]));
    return ok(files);
  };
}

async function documentReply(
  { version, notice = '', prefix, hasReplicas: replicas = false }: PageRouteDependencies,
  load: LoadFiles,
  name: string,
  incident?: string,
): Promise<OutgoingReply> {
  const files = await load();
  if (!files.ok) return problemReply(503, files.error);
  const { text = '' } = files.value.get(name) ?? {};
  const settings = JSON.stringify({ prefix: prefix(), version, notice, replicas });
  const body = text
    .replace('<noscript>', () => `<noscript>${incident === undefined ? '' : incidentSentence(incident)}`)
    .replaceAll('="./', () => `="${escapeHtml(prefix())}/`)
    .replace('name="graphwarden" content=""', () => `name="graphwarden" content="${escapeHtml(settings)}"`);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy };
  return { status: 200, headers, body };
}

/** Content of an incident for a browser without JavaScript. */
function incidentSentence(id: string): string {
  const path = escapeHtml(`api/v1/incidents/${encodeURIComponent(id)}`);
  return `<p>This incident is in the API at <a href="./${path}">${path}</a>.</p>`;
}

async function assetReply(load: LoadFiles, name: string, { headers }: IncomingRequest): Promise<OutgoingReply> {
  const files = await load();
  if (!files.ok) return problemReply(503, files.error);
  const file = files.value.get(`assets/${name}`);
  if (file === undefined) return problemReply(404, `The status page has no file '${name.slice(0, 100)}'.`);
  const isCompressed = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  return {
    status: 200,
    headers: {
      'content-type': file.type,
      // The name contains a hash of the content.
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isCompressed ? Buffer.from(file.gzip, 'base64') : file.text,
  };
}
