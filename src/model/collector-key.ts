/** One collector on one node of one cluster; `node` is `''` for facts of the whole cluster. */
export interface CollectorTarget {
  readonly cluster: string;
  readonly collector: string;
  readonly node: string;
}

/** Returns the target as one string, for maps and sets. */
export function collectorKey({ cluster, collector, node }: CollectorTarget): string {
  return JSON.stringify([cluster, collector, node]);
}

/** Returns the target of a {@link collectorKey}. */
export function parseCollectorKey(key: string): CollectorTarget {
  const [cluster = '', collector = '', node = '']: readonly string[] = JSON.parse(key);
  return { cluster, collector, node };
}
