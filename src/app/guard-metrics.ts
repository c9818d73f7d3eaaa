import type { Instant } from '../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import type { ClusterSight } from './cluster-sight.ts';
import { doubts } from './guard-counts.ts';

const source = 'measured by us';

const matches = counter({
  name: 'graphwarden_guard_matches_total',
  help: 'Queries that a policy matched when they were confirmed, each counted once; the first policy that matches owns a query.',
  labels: ['policy', 'node'],
  source,
});
const voids = counter({
  name: 'graphwarden_guard_void_total',
  help: 'How often the guard left out an entry of a list, a whole list, or everything that it knew of a node, by reason.',
  labels: ['node', 'scope', 'reason'],
  source,
});
const covered = gauge({
  name: 'graphwarden_guard_node_covered',
  help: 'Whether the lists of the node come from an instance that is surely its own, and the latest one is good and not too old.',
  labels: ['node'],
  source,
});
const mode = gauge({
  name: 'graphwarden_guard_mode',
  help: 'The mode that a policy is in effectively; always observe in this version, which aborts nothing.',
  labels: ['policy', 'mode'],
  source,
});

/** The families in which the guard tells what it sees. */
export const guardMetrics: readonly Metric[] = [matches, voids, covered, mode];

/** What the guard shows of one cluster. */
export function* guardSamples(sight: ClusterSight, nodes: readonly string[], now: Instant): Generator<Sample> {
  for (const { name: policy } of sight.policies) {
    yield sample(mode, { policy, mode: 'observe' }, 1);
    yield sample(mode, { policy, mode: 'enforce' }, 0);
    for (const node of nodes) yield sample(matches, { policy, node }, sight.counts(node).matches(policy));
  }
  for (const node of nodes) {
    yield sample(covered, { node }, sight.isCovered(node, now) ? 1 : 0);
    for (const doubt of doubts) {
      const { scope, reason } = doubt;
      yield sample(voids, { node, scope, reason }, sight.counts(node).voids(doubt));
    }
  }
}
