import { describe, expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';

describe('the catalogue', () => {
  it('takes what comes back within a minute for the same incident; the watchdog alone never ends', () => {
    expect(rules.filter(({ keepFiringFor }) => keepFiringFor < 60_000).map(({ name }) => name)).toEqual(['watchdog']);
  });

  it('keeps pages for what has to be seen to now', () => {
    const pages = rules.filter(({ severity }) => severity === 'critical').map(({ name }) => name);
    expect(pages).toEqual([
      'cluster_down',
      'node_unreachable',
      'service_without_online_replica',
      'partition_without_online_replica',
      'partition_unavailable',
      'service_readonly',
      'memory_near_abort',
      'queue_saturated',
      'abort_unconfirmed',
      'guard_breaker_open',
      'guard_blind',
      'guard_not_ready',
      'check_failed',
      'delivery_failing',
      'state_not_durable',
    ]);
  });
});
