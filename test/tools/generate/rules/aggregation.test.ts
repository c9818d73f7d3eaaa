import { describe, expect, it } from 'vitest';
import {
  aggregatePerInstallation,
  aggregatePerSubject,
  familiesIn,
} from '../../../../tools/generate/rules/aggregation.ts';

describe('aggregation', () => {
  const attached = 'instance, pod, container, endpoint, service';

  it('removes labels that a scrape attaches', () => {
    expect(aggregatePerSubject('graphdb_up == 0', ['node'])).toBe(`max without (${attached}) (graphdb_up == 0)`);
  });

  it('removes labels that do not identify the subject, and keeps the cluster', () => {
    expect(
      aggregatePerSubject('graphdb_service_status{status="Down"} == 1', ['service_name', 'partition', 'replica']),
    ).toBe(`max without (${attached}, status) (graphdb_service_status{status="Down"} == 1)`);
    expect(aggregatePerSubject('graphwarden_cluster_nodes == 0', [])).toBe(
      `max without (${attached}) (graphwarden_cluster_nodes == 0)`,
    );
  });

  it('keeps only the installation for alerts about graphwarden itself', () => {
    expect(aggregatePerInstallation('graphwarden_state_durable == 0', [])).toBe(
      'max by (job, namespace) (graphwarden_state_durable == 0)',
    );
    expect(aggregatePerInstallation('graphwarden_outbox_parked > 0', ['receiver'])).toBe(
      'max by (job, namespace, receiver) (graphwarden_outbox_parked > 0)',
    );
  });
});

describe('familiesIn', () => {
  it('returns each metric once', () => {
    expect(familiesIn('rate(graphdb_a[5m]) / graphwarden_b and on (graph) graphdb_a > 0')).toEqual([
      'graphdb_a',
      'graphwarden_b',
    ]);
    expect(familiesIn('vector(1)')).toEqual([]);
  });
});
