import type { HttpPool } from '../kernel/http.ts';
import { createNodePool, type NodePoolParts } from './node-pool.ts';

/** The sockets to one node, at most four, by what they serve. */
export interface NodeSockets {
  /** For collectors and liveness. */
  readonly plain: HttpPool;
  /** For lists of what runs, and aborts; the same where the node is not guarded. */
  readonly lists: HttpPool;
  /** Open right now. */
  open(): number;
  close(): Promise<void>;
}

const ofNode = 4;
/** One for a list, and one more for an abort. */
const ofGuard = 2;

/** Opens no socket yet. On a guarded node collectors that hang hold up neither a list nor an abort. */
export function nodeSockets(parts: Omit<NodePoolParts, 'sockets' | 'oneAddress'>, isGuarded: boolean): NodeSockets {
  const plain = createNodePool({ ...parts, sockets: isGuarded ? ofNode - ofGuard : ofNode });
  const lists = isGuarded ? createNodePool({ ...parts, sockets: ofGuard, oneAddress: true }) : plain;
  const pools = isGuarded ? [plain, lists] : [plain];
  return {
    plain,
    lists,
    open: () => pools.reduce((sum, pool) => sum + pool.sockets(), 0),
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
