import type { StateMapping } from './definition.ts';
import { deduplicated, selector } from './promql.ts';

/** Time for which a cluster that graphwarden no longer reports counts as unknown. Afterwards it counts as removed. */
const remembered = '6h';

const clusterNodes = selector('graphwarden_cluster_nodes');

/** Number of nodes of each cluster that graphwarden reports, or reported until recently: its daemon may be down. */
export const knownClusters = `max by (cluster_name) (last_over_time(${clusterNodes}[${remembered}]))`;

/** Returns the known clusters without a series of a vector with the label `cluster_name`. */
export function clustersWithout(series: string): string {
  return `(${knownClusters} unless on (cluster_name) ${series})`;
}

/** Returns the nodes without a series of a vector with the label `node`, and the clusters that are no longer reported. */
export function nodesWithout(series: string): string {
  const nodes = `${deduplicated('graphwarden_node_sockets')} unless on (cluster_name, node) ${series}`;
  return `(${nodes} or ${clustersWithout(clusterNodes)})`;
}

/**
 * Returns a total if it is bad or complete, and nothing otherwise: a good total of a part would look like a good total.
 *
 * @param total vector with the labels `by`
 * @param bad comparison that bad totals satisfy, such as `> 0`
 * @param missing vector of what the total does not cover
 * @param by labels that a total shares with what it does not cover; none for a total of all clusters
 */
export function badOrComplete(total: string, bad: string, missing: string, by = ''): string {
  return `(${total}) ${bad} or (${total} unless on (${by}) ${missing})`;
}

/** Value of a row about data that is missing. No status of the server has this code. */
const unknownCode = -2;

/** Text and color of {@link unknownRows}. */
export const unknownState: StateMapping = { value: unknownCode, text: 'unknown', color: 'grey' };

/** Returns a row of a table for each element of a vector of what is missing. */
export function unknownRows(missing: string): string {
  return `${unknownCode} * ${missing} ^ 0`;
}
