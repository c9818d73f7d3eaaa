import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';

describe('the catalogue', () => {
  it('keeps every rule firing for at least a minute, except the watchdog, which always fires', () => {
    expect(rules.filter(({ keepFiringFor }) => keepFiringFor < 60_000).map(({ name }) => name)).toEqual(['watchdog']);
  });

  it('has the severity critical only for rules that require immediate action', () => {
    const pages = rules.filter(({ severity }) => severity === 'critical').map(({ name }) => name);
    expect(pages).toEqual([
      'cluster_down',
      'node_unreachable',
      'service_without_online_replica',
      'partition_without_online_replica',
      'partition_unavailable',
      'service_readonly',
      'memory_near_abort',
      'graph_shrunk',
      'probe_failed',
      'queue_saturated',
      'abort_unconfirmed',
      'guard_breaker_open',
      'guard_blind',
      'guard_not_ready',
      'check_failed',
      'delivery_failing',
      'state_not_durable',
      'no_owner',
    ]);
  });
});
