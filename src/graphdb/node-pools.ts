import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpPool, OpenHttpPool, TlsMaterial } from '../kernel/http.ts';
import { err, type Ok, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { TlsSettings } from '../model/settings.ts';

/** Options of a node's pool. */
export interface NodePoolOptions {
  readonly origin: string;
  readonly sockets: number;
  /** For a pool with one address. */
  readonly oneAddress?: boolean;
  readonly tls: TlsSettings | undefined;
  readonly openPool: OpenHttpPool;
  readonly files: Files;
}

interface OpenedPool {
  readonly pool: HttpPool;
  /** Stamps of the certificate files that it was opened with. */
  readonly stamp: string;
  /** Requests in flight. */
  busy: number;
  retired: boolean;
}

/** Pool that opens with its first request, and again when the certificate files have changed. */
export function createNodePool(parts: NodePoolOptions): HttpPool {
  let opened: OpenedPool | undefined;
  let closed = false;

  /** Pool that stays open until it is released. */
  async function take(): Promise<Result<OpenedPool, Failure>> {
    const stamp = await certificateStamp(parts);
    if (opened?.stamp === stamp) return acquire(opened);
    const tls = await loadTls(parts);
    if (!tls.ok) return opened === undefined ? tls : acquire(opened);
    if (closed) return err(failure('unreachable', 'the connection is closed'));
    if (opened?.stamp === stamp) return acquire(opened);
    if (opened !== undefined) retire(opened);
    const { origin, sockets, oneAddress = false } = parts;
    const material = tls.value === undefined ? {} : { tls: tls.value };
    const pool = parts.openPool({ origin, sockets, ...material, ...(oneAddress && { oneAddress }) });
    opened = { pool, stamp, busy: 0, retired: false };
    return acquire(opened);
  }

  return {
    async request(request, signal) {
      const found = await take();
      if (!found.ok) return err({ ...found.error, unsent: true });
      try {
        return await found.value.pool.request(request, signal);
      } finally {
        releasePool(found.value);
      }
    },
    sockets: () => opened?.pool.sockets() ?? 0,
    async close() {
      closed = true;
      await opened?.pool.close();
    },
  };
}

/** Counted synchronously: another request may be about to retire the pool. */
function acquire(opened: OpenedPool): Ok<OpenedPool> {
  opened.busy += 1;
  return ok(opened);
}

function releasePool(opened: OpenedPool): void {
  opened.busy -= 1;
  closeIfIdle(opened);
}

/** Requests in flight on the old certificates may finish. */
function retire(opened: OpenedPool): void {
  opened.retired = true;
  closeIfIdle(opened);
}

function closeIfIdle(opened: OpenedPool): void {
  if (opened.retired && opened.busy === 0) void opened.pool.close();
}

async function certificateStamp({ tls, files }: NodePoolOptions): Promise<string> {
  const paths = [tls?.caFile, tls?.certFile, tls?.keyFile].filter((path) => path !== undefined);
  return (await Promise.all(paths.map((path) => files.stamp(path)))).join();
}

async function loadTls({ tls, files }: NodePoolOptions): Promise<Result<TlsMaterial | undefined, Failure>> {
  if (tls === undefined) return ok(undefined);
  const { caFile, certFile, keyFile, serverName, insecureSkipVerify } = tls;
  const [ca, cert, key] = await Promise.all([
    loadPem(caFile, files),
    loadPem(certFile, files),
    loadPem(keyFile, files),
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

async function loadPem(path: string | undefined, files: Files): Promise<Result<string | undefined, Failure>> {
  if (path === undefined) return ok(undefined);
  const text = await files.readText(path);
  return text.ok ? text : err(failure('tls', text.error));
}

/** Sockets to one node, at most four, by purpose. */
export interface NodePools {
  /** For collectors and liveness. */
  readonly general: HttpPool;
  /** For process lists and aborts; the same pool if the node is not guarded. */
  readonly reserved: HttpPool;
  /** Number of open sockets. */
  openSockets(): number;
  close(): Promise<void>;
}

const socketsPerNode = 4;
/** One for a list, and one more for an abort. */
const reservedForGuard = 2;

/** Opens no socket yet. On a guarded node, hanging collectors block neither lists nor aborts. */
export function createNodePools(parts: Omit<NodePoolOptions, 'sockets' | 'oneAddress'>, isGuarded: boolean): NodePools {
  const general = createNodePool({ ...parts, sockets: isGuarded ? socketsPerNode - reservedForGuard : socketsPerNode });
  const reserved = isGuarded ? createNodePool({ ...parts, sockets: reservedForGuard, oneAddress: true }) : general;
  const pools = isGuarded ? [general, reserved] : [general];
  return {
    general,
    reserved,
    openSockets: () => pools.reduce((sum, pool) => sum + pool.sockets(), 0),
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
