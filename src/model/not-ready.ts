/** Reasons why a policy cannot abort queries on a node; the first that applies is the most important one. */
export const notReadyReasons = [
  'state_not_loaded',
  'paused',
  'state_not_durable',
  'collector_off',
  'list_failed',
  'list_missing',
  'connection_closed',
  'other_cluster',
  'not_covered',
  'graphs_unknown',
  'credential_missing',
  'credential_refused',
  'breaker_open',
  'cluster_budget',
  'node_budget',
  'gate_unknown',
] as const;

/** One of {@link notReadyReasons}. */
export type NotReadyReason = (typeof notReadyReasons)[number];

const texts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    state_not_loaded: 'its stored state has not been read',
    paused: 'the guard is paused',
    state_not_durable: 'new aborts cannot be stored on disk',
    collector_off: 'the collector queries is disabled',
    list_failed: 'the latest process list failed or was rejected',
    list_missing: 'no recent process list has arrived',
    connection_closed:
      'the server, or a proxy, closes the connection after each process list, and an abort needs the same one',
    other_cluster: 'the node is in another cluster of the configuration as well, which guards it',
    not_covered: 'its query server instance is unknown, or another node reports the same one',
    graphs_unknown: 'the names of the graphs could not be read',
    credential_missing: 'the credentials for aborts (abort_auth) cannot be read',
    credential_refused: 'the server rejects the credentials for aborts (abort_auth)',
    breaker_open: 'a circuit breaker is open',
    cluster_budget: 'the budget of the cluster is spent',
    node_budget: 'the budget of the node is spent',
    gate_unknown: 'a value that its gate requires is unknown, so the gate stays closed',
  } satisfies Readonly<Record<NotReadyReason, string>>),
);

/** Returns reasons as a text. A reason of a daemon with another version is shown as it is. */
export function notReadyText(reasons: readonly string[]): string {
  // Without a list, none is recent.
  const causes = reasons.filter((reason) => reason !== 'list_missing' || !reasons.includes('list_failed'));
  return causes.map((reason) => texts.get(reason) ?? reason).join('; ');
}
