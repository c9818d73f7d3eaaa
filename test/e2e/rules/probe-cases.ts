import type { RuleCase } from './rule-case.ts';
import { here } from './service-cases.ts';

const onNode = 'cluster_name="prod",node="m1",probe="ring"';
const ofCluster = 'cluster_name="prod",node="",probe="ring"';
const success = (of: string): string => `graphdb_probe_success{${of}}`;
const limit = `graphdb_probe_duration_limit_seconds{${onNode}}`;
const duration = `graphdb_probe_duration_seconds{${onNode}}`;

const failed = { alert: 'GraphdbProbeFailed', tooShort: 1.75, firesWithin: 3, resolvesWithin: 3 } as const;

/** What can be wrong with probes. */
export const probeCases: readonly RuleCase[] = [
  {
    ...failed,
    labels: { severity: 'critical', cluster_name: 'prod', node: 'm1', probe: 'ring', ...here },
    healthy: { [success(onNode)]: 1 },
    bad: { [success(onNode)]: 0 },
    nearMiss: { [success(onNode)]: 1, [`graphdb_probe_failing{${onNode},reason="count"}`]: 1 },
  },
  {
    ...failed,
    labels: { severity: 'critical', cluster_name: 'prod', probe: 'ring', ...here },
    healthy: { [success(ofCluster)]: 1 },
    bad: { [success(ofCluster)]: 0 },
    nearMiss: { [success(ofCluster)]: 1 },
  },
  {
    alert: 'GraphdbProbeSlow',
    labels: { severity: 'warning', cluster_name: 'prod', node: 'm1', probe: 'ring', ...here },
    healthy: { [limit]: 1, [duration]: 0.1 },
    bad: { [limit]: 1, [duration]: 0.81 },
    nearMiss: { [limit]: 1, [duration]: 0.79 },
    tooShort: 4.5,
    firesWithin: 7,
    resolvesWithin: 3,
  },
];
