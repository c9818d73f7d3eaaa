import { describe, expect, it } from 'vitest';
import { familiesIn, onePerInstallation, onePerThing } from '../../../generate/rules/aggregation.ts';

describe('an expression of which each thing is one series', () => {
  const attached = 'instance, pod, container, endpoint, service';

  it('loses what a scrape attaches', () => {
    expect(onePerThing('graphdb_up == 0', ['node'])).toBe(`max without (${attached}) (graphdb_up == 0)`);
  });

  it('loses labels of its families that tell no thing apart, and never the cluster', () => {
    expect(onePerThing('graphdb_service_status{status="Down"} == 1', ['service_name', 'partition', 'replica'])).toBe(
      `max without (${attached}, status) (graphdb_service_status{status="Down"} == 1)`,
    );
    expect(onePerThing('graphwarden_cluster_nodes == 0', [])).toBe(
      `max without (${attached}) (graphwarden_cluster_nodes == 0)`,
    );
  });

  it('keeps where graphwarden runs, and nothing of what it watches, where it is about graphwarden', () => {
    expect(onePerInstallation('graphwarden_state_durable == 0', [])).toBe(
      'max by (job, namespace) (graphwarden_state_durable == 0)',
    );
    expect(onePerInstallation('graphwarden_outbox_parked > 0', ['receiver'])).toBe(
      'max by (job, namespace, receiver) (graphwarden_outbox_parked > 0)',
    );
  });
});

describe('families', () => {
  it('are named once each, and nothing else is one', () => {
    expect(familiesIn('rate(graphdb_a[5m]) / graphwarden_b and on (graph) graphdb_a > 0')).toEqual([
      'graphdb_a',
      'graphwarden_b',
    ]);
    expect(familiesIn('vector(1)')).toEqual([]);
  });
});
