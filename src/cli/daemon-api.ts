import { base64 } from '../graphdb/credentials.ts';
import type { FailureReason } from '../kernel/failure.ts';
import type { HttpPool, HttpReply, HttpRequest } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { type Flag, type Given, WrongUse } from './command.ts';
import { withDeadline } from './deadline.ts';
import type { CliPorts } from './ports.ts';

const defaultUrl = 'http://127.0.0.1:9916';
const timeout: Millis = 10_000;
const largestAnswer = 16 * 1024 * 1024;

/** The options of every command that speaks to a running daemon. */
export const daemonFlags: readonly Flag[] = [
  { name: 'url', value: 'URL', about: `where the daemon listens, with its route prefix (${defaultUrl})` },
  { name: 'user', value: 'NAME', about: 'who asks; else GRAPHWARDEN_USER' },
  { name: 'password-file', value: 'FILE', about: 'file with the password of that user; else GRAPHWARDEN_PASSWORD' },
  { name: 'insecure', about: 'accept any certificate' },
];

/** A call to the daemon. */
export interface DaemonCall {
  readonly method: HttpRequest['method'];
  /** Below the route prefix, with its query string. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** How long the answer may take, where that is longer than usual. */
  readonly patience?: Millis;
}

/** The HTTP API of a running daemon. Errors are sentences that hold no secret. */
export interface DaemonApi {
  call(call: DaemonCall): Promise<Result<unknown, string>>;
  close(): Promise<void>;
}

/** Opens the API of the daemon that the options name. */
export async function openDaemonApi({ flags }: Given, ports: CliPorts): Promise<Result<DaemonApi, string>> {
  const url = daemonUrl(flags.url ?? defaultUrl);
  const authorization = await authorizationOf(flags, ports);
  if (!authorization.ok) return authorization;
  const { openPool } = await ports.world();
  const insecure = 'insecure' in flags ? { tls: { insecureSkipVerify: true } } : {};
  const pool = openPool({ origin: url.origin, sockets: 1, ...insecure });
  const prefix = url.pathname.replace(/\/+$/, '');
  const way = { pool, ports, origin: url.origin };
  return ok({
    call: (call) => send(requestOf(call, prefix, authorization.value), { ...way, patience: call.patience ?? timeout }),
    close: () => pool.close(),
  });
}

function daemonUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new WrongUse('--url wants http://HOST:PORT or https://…');
  if (url.username !== '' || url.password !== '') {
    throw new WrongUse('--url takes no user and password: give them with --user and --password-file');
  }
  return url;
}

/** The header's value; undefined where nobody is named. */
async function authorizationOf(
  flags: Given['flags'],
  { environment, files }: CliPorts,
): Promise<Result<string | undefined, string>> {
  const user = flags.user ?? environment.GRAPHWARDEN_USER;
  const file = flags['password-file'];
  if (user === undefined) {
    if (file !== undefined) throw new WrongUse('--password-file wants --user beside it');
    return ok(undefined);
  }
  const password = file === undefined ? ok(environment.GRAPHWARDEN_PASSWORD) : await files.readText(file);
  if (!password.ok) return password;
  if (password.value === undefined) throw new WrongUse('--user wants --password-file, or GRAPHWARDEN_PASSWORD');
  return ok(`Basic ${base64(`${user}:${password.value.replace(/\r?\n$/, '')}`)}`);
}

function requestOf({ method, path, body }: DaemonCall, prefix: string, authorization: string | undefined): HttpRequest {
  const headers = {
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const request = { method, path: `${prefix}${path}`, headers, maxBytes: largestAnswer };
  return body === undefined ? request : { ...request, body: JSON.stringify(body) };
}

interface Way {
  readonly pool: HttpPool;
  readonly ports: CliPorts;
  readonly origin: string;
  readonly patience: Millis;
}

async function send(request: HttpRequest, { pool, ports, origin, patience }: Way): Promise<Result<unknown, string>> {
  const reply = await withDeadline(ports.clock, patience, (signal) => pool.request(request, signal));
  if (!reply.ok) return err(`${origin}: ${reply.error.message}${advice[reply.error.reason] ?? ''}`);
  if (reply.value.status !== 401) return answerOf(reply.value);
  const isNamed = request.headers.authorization !== undefined;
  return err(`the daemon answered with status 401: ${isNamed ? 'it does not take this user and password' : whoAsks}`);
}

const whoAsks = 'it wants to know who asks (--user with --password-file)';

/** What somebody may do about a daemon that cannot be spoken to. */
const advice: Partial<Readonly<Record<FailureReason, string>>> = {
  unreachable: ' (does the daemon run? --url says where)',
  timeout: ' (does the daemon run? --url says where)',
  tls: ' (--insecure accepts any certificate)',
};

function answerOf({ status, body }: HttpReply): Result<unknown, string> {
  const json = parsed(new TextDecoder().decode(body));
  if (status >= 200 && status < 300) return json === undefined ? err('the answer is no JSON') : ok(json);
  const detail = typeof json === 'object' && json !== null && 'detail' in json ? String(json.detail) : '';
  return err(`the daemon answered with status ${status}${detail === '' ? '' : `: ${detail}`}`);
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
