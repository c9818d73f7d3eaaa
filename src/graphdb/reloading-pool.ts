import { type Failure, failure } from '../kernel/failure.ts';
import type { HttpPool, HttpProxy, OpenHttpPool, TlsMaterial } from '../kernel/http.ts';
import { err, type Ok, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { TlsSettings } from '../model/settings.ts';

/** Options of a pool whose TLS files may change. */
export interface ReloadingPoolOptions {
  readonly origin: string;
  readonly sockets: number;
  /** Whether all connections of the pool lead to one address. */
  readonly oneAddress?: boolean;
  readonly tls: TlsSettings | undefined;
  readonly proxy?: HttpProxy;
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
export function createReloadingPool(parts: ReloadingPoolOptions): HttpPool {
  let opened: OpenedPool | undefined;
  let closed = false;

  /** Returns the current pool, which stays open until it is released. */
  async function take(): Promise<Result<OpenedPool, Failure>> {
    const stamp = await certificateStamp(parts);
    if (opened?.stamp === stamp) return acquire(opened);
    const tls = await loadTls(parts);
    if (!tls.ok) return opened === undefined ? tls : acquire(opened);
    if (closed) return err(failure('unreachable', 'the connection is closed'));
    if (opened?.stamp === stamp) return acquire(opened);
    if (opened !== undefined) retire(opened);
    const { origin, sockets, oneAddress = false, proxy } = parts;
    const material = tls.value === undefined ? {} : { tls: tls.value };
    const options = {
      origin,
      sockets,
      ...material,
      ...(proxy !== undefined && { proxy }),
      ...(oneAddress && { oneAddress }),
    };
    const pool = parts.openPool(options);
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

/** Counts a request of the pool. Synchronous, so that no other request can close the pool before. */
function acquire(opened: OpenedPool): Ok<OpenedPool> {
  opened.busy += 1;
  return ok(opened);
}

function releasePool(opened: OpenedPool): void {
  opened.busy -= 1;
  closeIfIdle(opened);
}

/** Closes a pool with old certificates after its requests in flight. */
function retire(opened: OpenedPool): void {
  opened.retired = true;
  closeIfIdle(opened);
}

function closeIfIdle(opened: OpenedPool): void {
  if (opened.retired && opened.busy === 0) void opened.pool.close();
}

async function certificateStamp({ tls, files }: ReloadingPoolOptions): Promise<string> {
  const paths = [tls?.caFile, tls?.certFile, tls?.keyFile].filter((path) => path !== undefined);
  return (await Promise.all(paths.map((path) => files.stamp(path)))).join();
}

/** Reads the PEM files of TLS settings; undefined without settings. The failure `tls` names a file that cannot be read. */
export async function loadTls({
  tls,
  files,
}: Pick<ReloadingPoolOptions, 'tls' | 'files'>): Promise<Result<TlsMaterial | undefined, Failure>> {
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
