import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpPool, OpenHttpPool, TlsMaterial } from '../kernel/http.ts';
import { err, type Ok, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { TlsSettings } from '../model/settings.ts';

/** What a node's pool is opened with. */
export interface NodePoolParts {
  readonly origin: string;
  readonly sockets: number;
  /** For a pool to one address alone. */
  readonly oneAddress?: boolean;
  readonly tls: TlsSettings | undefined;
  readonly openPool: OpenHttpPool;
  readonly files: Files;
}

interface Opened {
  readonly pool: HttpPool;
  /** Of the files that it was opened with. */
  readonly stamp: string;
  /** Requests under way. */
  busy: number;
  retired: boolean;
}

/** A pool that opens with its first request, and anew when the certificate files have changed. */
export function createNodePool(parts: NodePoolParts): HttpPool {
  let opened: Opened | undefined;
  let closed = false;

  /** A pool that stays open until it is given back. */
  async function take(): Promise<Result<Opened, Failure>> {
    const stamp = await stampOf(parts);
    if (opened?.stamp === stamp) return taken(opened);
    const tls = await readTls(parts);
    if (!tls.ok) return opened === undefined ? tls : taken(opened);
    if (closed) return err(failure('unreachable', 'the connection is closed'));
    if (opened?.stamp === stamp) return taken(opened);
    if (opened !== undefined) retire(opened);
    const { origin, sockets, oneAddress = false } = parts;
    const material = tls.value === undefined ? {} : { tls: tls.value };
    const pool = parts.openPool({ origin, sockets, ...material, ...(oneAddress && { oneAddress }) });
    opened = { pool, stamp, busy: 0, retired: false };
    return taken(opened);
  }

  return {
    async request(request, signal) {
      const found = await take();
      if (!found.ok) return err({ ...found.error, unsent: true });
      try {
        return await found.value.pool.request(request, signal);
      } finally {
        giveBack(found.value);
      }
    },
    sockets: () => opened?.pool.sockets() ?? 0,
    async close() {
      closed = true;
      await opened?.pool.close();
    },
  };
}

/** Counted before anybody else runs: another request may be about to retire it. */
function taken(opened: Opened): Ok<Opened> {
  opened.busy += 1;
  return ok(opened);
}

function giveBack(opened: Opened): void {
  opened.busy -= 1;
  closeIfIdle(opened);
}

/** What is under way on the old certificates may end. */
function retire(opened: Opened): void {
  opened.retired = true;
  closeIfIdle(opened);
}

function closeIfIdle(opened: Opened): void {
  if (opened.retired && opened.busy === 0) void opened.pool.close();
}

async function stampOf({ tls, files }: NodePoolParts): Promise<string> {
  const paths = [tls?.caFile, tls?.certFile, tls?.keyFile].filter((path) => path !== undefined);
  return (await Promise.all(paths.map((path) => files.stamp(path)))).join();
}

async function readTls({ tls, files }: NodePoolParts): Promise<Result<TlsMaterial | undefined, Failure>> {
  if (tls === undefined) return ok(undefined);
  const { caFile, certFile, keyFile, serverName, insecureSkipVerify } = tls;
  const [ca, cert, key] = await Promise.all([
    readPem(caFile, files),
    readPem(certFile, files),
    readPem(keyFile, files),
  ]);
  for (const file of [ca, cert, key]) if (!file.ok) return file;
  return ok({
    ...(ca.ok && ca.value !== undefined && { ca: ca.value }),
    ...(cert.ok && cert.value !== undefined && { cert: cert.value }),
    ...(key.ok && key.value !== undefined && { key: key.value }),
    ...(serverName !== undefined && { serverName }),
    insecureSkipVerify,
  });
}

async function readPem(path: string | undefined, files: Files): Promise<Result<string | undefined, Failure>> {
  if (path === undefined) return ok(undefined);
  const text = await files.readText(path);
  return text.ok ? text : err(failure('tls', text.error));
}
