import type { HttpPool } from '../kernel/http.ts';
import { createReloadingPool, type ReloadingPoolOptions } from './reloading-pool.ts';

/** Sockets to one node, at most four, by purpose. */
export interface NodePools {
  /** Pool for collectors and liveness. */
  readonly general: HttpPool;
  /** Pool for process lists and aborts; the general pool if the node is not guarded. */
  readonly reserved: HttpPool;
  /** Number of open sockets. */
  openSockets(): number;
  close(): Promise<void>;
}

const socketsPerNode = 4;
/** Sockets that are reserved on a guarded node: while an abort uses the connection of its list, lists use the other one. */
const reservedForGuard = 2;

/** Creates the pools without opening a socket. On a guarded node, hanging collectors block neither lists nor aborts. */
export function createNodePools(
  parts: Omit<ReloadingPoolOptions, 'sockets' | 'oneAddress'>,
  isGuarded: boolean,
): NodePools {
  const general = createReloadingPool({
    ...parts,
    sockets: isGuarded ? socketsPerNode - reservedForGuard : socketsPerNode,
  });
  const reserved = isGuarded ? createReloadingPool({ ...parts, sockets: reservedForGuard, oneAddress: true }) : general;
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
