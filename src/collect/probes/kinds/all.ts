import type { ProbeKind } from '../kind.ts';
import { allPaths } from './all-paths.ts';
import { edges } from './edges.ts';
import { installedQuery } from './installed-query.ts';
import { interpretedQuery } from './interpreted-query.ts';
import { shortestPath } from './shortest-path.ts';
import { templateQuery } from './template-query.ts';
import { vertex } from './vertex.ts';
import { writeHeartbeat } from './write-heartbeat.ts';

/** All kinds of probes. Configuration keys, documentation and the coverage of the server are derived from this list. */
export const probeKinds: readonly ProbeKind[] = [
  installedQuery,
  interpretedQuery,
  templateQuery,
  vertex,
  edges,
  shortestPath,
  allPaths,
  writeHeartbeat,
];
