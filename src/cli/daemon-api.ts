import {
  type MissingClusters,
  maxPageSize,
  missingSchema,
  type Problem,
  pageSchema,
  problemSchema,
  type Schema,
} from '../api/fields.ts';
import { missingLines } from '../api/replica-lines.ts';
import { formatProblems } from '../config/problems.ts';
import { base64 } from '../graphdb/credentials.ts';
import { withDeadline } from '../kernel/deadline.ts';
import type { FailureReason } from '../kernel/failure.ts';
import type { HttpPool, HttpReply, HttpRequest } from '../kernel/http.ts';
import { parseJson } from '../kernel/json.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { type CommandInput, type ExitCode, exitCode, type Flag, UsageError } from './command.ts';
import { findSocket, socketFlags } from './daemon-socket.ts';
import { daemonTls, daemonUrl, tlsFlags, urlFlag } from './daemon-url.ts';
import type { CliPorts } from './ports.ts';
import { printError } from './print.ts';

const defaultTimeout: Millis = 10_000;
const maxResponseBytes = 16 * 1024 * 1024;

/** Options of each command that calls a running daemon. */
export const daemonFlags: readonly Flag[] = [
  ...socketFlags,
  urlFlag,
  { name: 'user', value: 'NAME', about: 'user name (default: GRAPHWARDEN_USER)' },
  { name: 'password-file', value: 'FILE', about: 'file with the password (default: GRAPHWARDEN_PASSWORD)' },
  ...tlsFlags,
];

/** Request to the daemon. */
export interface DaemonRequest {
  readonly method: HttpRequest['method'];
  /** Path below the route prefix, with the query string. */
  readonly path: string;
  /** JSON body. */
  readonly body?: unknown;
  /** Timeout; absent for the default. */
  readonly timeout?: Millis;
}

/** HTTP API of a running daemon. Errors are messages without secrets. */
export interface DaemonApi {
  call(call: DaemonRequest): Promise<Result<unknown, string>>;
  close(): Promise<void>;
}

/** Opens the API of the daemon that the options name. */
export async function openDaemonApi(given: CommandInput, ports: CliPorts): Promise<Result<DaemonApi, string>> {
  const { flags } = given;
  const socket = await findSocket(given, ports);
  if (!socket.ok) return socket;
  if (socket.value !== undefined) return await openSocketApi(socket.value, ports);
  const url = daemonUrl(given, ports);
  const tls = await daemonTls(given, ports);
  if (!tls.ok) return tls;
  const authorization = await authorizationHeader(flags, ports);
  if (!authorization.ok) return authorization;
  const { openPool } = await ports.loadRuntime();
  const pool = openPool({ origin: url.origin, sockets: 1, ...tls.value });
  const prefix = url.pathname.replace(/\/+$/, '');
  const way = { pool, ports, origin: url.origin };
  return ok({
    call: (call) =>
      send(toHttpRequest(call, prefix, authorization.value), { ...way, timeout: call.timeout ?? defaultTimeout }),
    close: () => pool.close(),
  });
}

/** Opens the API over the Unix socket of the daemon, which needs no authentication. */
async function openSocketApi(socketPath: string, ports: CliPorts): Promise<Result<DaemonApi, string>> {
  const { openPool } = await ports.loadRuntime();
  const pool = openPool({ origin: 'http://localhost', sockets: 1, socketPath });
  return ok({
    call: (call) =>
      send(toHttpRequest(call, '', undefined), {
        pool,
        ports,
        origin: socketPath,
        timeout: call.timeout ?? defaultTimeout,
      }),
    close: () => pool.close(),
  });
}

/** Value of the header; undefined without a user. */
async function authorizationHeader(
  flags: CommandInput['flags'],
  { environment, files }: CliPorts,
): Promise<Result<string | undefined, string>> {
  const user = flags.user ?? environment.GRAPHWARDEN_USER;
  const file = flags['password-file'];
  if (user === undefined) {
    if (file !== undefined) throw new UsageError('--password-file requires --user');
    return ok(undefined);
  }
  const password = file === undefined ? ok(environment.GRAPHWARDEN_PASSWORD) : await files.readText(file);
  if (!password.ok) return password;
  if (password.value === undefined) throw new UsageError('--user requires --password-file or GRAPHWARDEN_PASSWORD');
  return ok(`Basic ${base64(`${user}:${password.value.replace(/\r?\n$/, '')}`)}`);
}

function toHttpRequest(
  { method, path, body }: DaemonRequest,
  prefix: string,
  authorization: string | undefined,
): HttpRequest {
  const headers = {
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const request = { method, path: `${prefix}${path}`, headers, maxBytes: maxResponseBytes };
  return body === undefined ? request : { ...request, body: JSON.stringify(body) };
}

interface DaemonConnection {
  readonly pool: HttpPool;
  readonly ports: CliPorts;
  readonly origin: string;
  readonly timeout: Millis;
}

async function send(
  request: HttpRequest,
  { pool, ports, origin, timeout }: DaemonConnection,
): Promise<Result<unknown, string>> {
  const reply = await withDeadline(ports.clock, timeout, (signal) => pool.request(request, signal));
  if (!reply.ok) return err(`${origin}: ${reply.error.message}${failureAdvice[reply.error.reason] ?? ''}`);
  if (reply.value.status !== 401) return decodeResponse(reply.value, request);
  const hasCredentials = request.headers.authorization !== undefined;
  return err(hasCredentials ? 'wrong user name or password' : credentialsRequired);
}

const credentialsRequired = 'the daemon requires a user (--user with --password-file)';
const checkAddress = 'check that --url or GRAPHWARDEN_URL is the address of the daemon';

/** Advice for a failed request. */
const failureAdvice: Partial<Readonly<Record<FailureReason, string>>> = {
  unreachable: ' (check that the daemon runs; --url or GRAPHWARDEN_URL sets its address)',
  timeout: ' (check that the daemon runs; --url or GRAPHWARDEN_URL sets its address)',
  tls: ' (--ca-file names the authority of the certificate; --insecure disables the verification)',
};

function decodeResponse(
  { status, body }: HttpReply,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
): Result<unknown, string> {
  const content = new TextDecoder().decode(body);
  const json = content === '' ? null : parseJson(content);
  if (status >= 200 && status < 300)
    return json === undefined ? err(`unexpected response: not JSON; ${checkAddress}`) : ok(json);
  const problem = problemSchema.pick({ detail: true, problems: true }).safeParse(json);
  // The daemon rejects a list request because of the value of an option.
  if (status === 400 && method === 'GET' && problem.success) throw new UsageError(problem.data.detail);
  if (!problem.success) return err(`unexpected response: status ${status}; ${checkAddress}`);
  const text = problemText(problem.data);
  return err(status === 404 && isUnknownPath(path, text) ? `${text} ${addressWithPrefix}` : text);
}

/**
 * Whether the address has a wrong route prefix, or none: commands request existing paths only, unless an argument contains
 * a slash.
 */
function isUnknownPath(path: string, text: string): boolean {
  return text.startsWith('No route matches') && !/%2f/i.test(path);
}

const addressWithPrefix = 'Check the path of --url or GRAPHWARDEN_URL: it must be that of external_url.';

function problemText({ detail, problems = [] }: Pick<Problem, 'detail' | 'problems'>): string {
  return problems.length === 0 ? detail : `${detail}\n${formatProblems(problems)}`;
}

/** Runs `work` with the API of a running daemon and prints the text that it returns, or the error. */
export async function withDaemon(
  given: CommandInput,
  ports: CliPorts,
  work: (api: DaemonApi) => Promise<Result<string, string>>,
): Promise<ExitCode> {
  const api = await openDaemonApi(given, ports);
  const text = api.ok ? await closeAfter(api.value, work) : api;
  if (text.ok) ports.stdout.write(text.value);
  if (api.ok) ports.stderr.write(takeMissingText(api.value));
  return text.ok ? exitCode.ok : printError(text.error, ports);
}

/** Closes the API after the work, also if the work throws. */
export async function closeAfter<Outcome>(
  api: DaemonApi,
  work: (api: DaemonApi) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}

/** Sends a request to the daemon and checks the response with `schema`. Throws a usage error if the daemon refuses a filter. */
export async function fetchResponse<Response>(
  api: DaemonApi,
  request: DaemonRequest,
  schema: Schema<Response>,
): Promise<Result<Response, string>> {
  const response = await api.call(request);
  if (response.ok) noteMissing(api, response.value);
  return response.ok ? parseResponse(response.value, schema) : response;
}

/** Data that is missing in the answers of a daemon, because other replicas did not answer it. */
const missingParts = new WeakMap<DaemonApi, Map<string, MissingClusters>>();

function noteMissing(api: DaemonApi, response: unknown): void {
  const { missing = [] } = missingSchema.safeParse(response).data ?? {};
  if (missing.length === 0) return;
  const known = missingParts.get(api) ?? new Map<string, MissingClusters>();
  missingParts.set(api, known);
  for (const part of missing) known.set(JSON.stringify(part), part);
}

/** Returns the data that is missing in the answers so far. */
export function missingClusters(api: DaemonApi): readonly MissingClusters[] {
  return [...(missingParts.get(api)?.values() ?? [])];
}

/** Returns lines about data that is missing in the answers since the last call; empty if they were complete. */
export function takeMissingText(api: DaemonApi): string {
  const lines = missingLines(missingClusters(api)).map((line) => `incomplete: ${replaceControlCharacters(line)}\n`);
  missingParts.delete(api);
  return lines.join('');
}

/** Checks a response of the daemon, which may have another version, or of another service at the same address. */
export function parseResponse<Response>(response: unknown, schema: Schema<Response>): Result<Response, string> {
  const parsed = schema.safeParse(response);
  if (parsed.success) return ok(parsed.data);
  const { path = [], message = '' } = parsed.error.issues[0] ?? {};
  const location = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return err(
    `unexpected response of the daemon${location === '' ? '' : ` at ${location.replace(/^\./, '')}`}: ${message}; ` +
      'check that the command and the daemon have the same version',
  );
}

/** Query parameters of the named options that are given. */
export function flagParameters(flags: CommandInput['flags'], names: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = flags[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** All items of a list. An item that changes between the requests of two pages may be duplicated or missing. */
export async function fetchAllPages<Item>(
  api: DaemonApi,
  path: string,
  query: URLSearchParams,
  item: Schema<Item>,
): Promise<Result<readonly Item[], string>> {
  const schema = pageSchema(item);
  const found: Item[] = [];
  for (let offset = 0, total = 1; offset < total; ) {
    const paging = new URLSearchParams([...query, ['limit', String(maxPageSize)], ['offset', String(offset)]]);
    const page = await fetchResponse(api, { method: 'GET', path: `${path}?${paging.toString()}` }, schema);
    if (!page.ok) return page;
    const { items, limit } = page.value;
    found.push(...items);
    // Steps by the limit, not by the items: the daemon skips stored rows that are unreadable.
    offset += Math.max(1, limit);
    // An empty page is the last one, even if the total is larger.
    total = items.length === 0 ? 0 : page.value.total;
  }
  return ok(found);
}

/** Returns items once: an item that is added between the requests of two pages shifts the others. */
export function withoutDuplicates<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
