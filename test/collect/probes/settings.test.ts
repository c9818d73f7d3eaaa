import { describe, expect, it } from 'vitest';
import { probeKinds } from '../../../src/collect/probes/kinds/all.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';

const probe = { name: 'ring', graph: 'fraud', installed_query: { query: 'ring_scan' } };

describe('probesSection', () => {
  it('fills in the defaults', () => {
    expect(probesSection.parse([probe])).toEqual([
      {
        name: 'ring',
        kind: 'installed_query',
        request: {
          graph: 'fraud',
          task: { kind: 'installed_query', query: 'ring_scan', method: 'get', parameters: {}, limits: {} },
          timeout: 10_000,
        },
        assertions: { values: [] },
        slo: { objective: 0.99, window: 3_600_000 },
        nodes: 'one',
        polling: { enabled: true, interval: 60_000, timeout: 11_000, staleAfter: 180_000, passthrough: false },
      },
    ]);
    expect(probesSection.parse(undefined)).toEqual([]);
  });

  it('accepts every key', () => {
    const [given] = probesSection.parse([
      {
        ...probe,
        interval: '30s',
        timeout: '5s',
        nodes: ['m1'],
        clusters: ['prod'],
        assert: { max_latency: '1s', count: { min: 1 }, values: [{ path: '0.a' }], age: { path: '0.b', max: '1m' } },
        slo: { objective: 0.999, window: '1d' },
      },
    ]);
    expect(given).toMatchObject({
      nodes: ['m1'],
      clusters: ['prod'],
      assertions: { maxLatency: 1000, count: { min: 1 }, values: [{}], age: { max: 60_000 } },
      slo: { objective: 0.999, window: 86_400_000 },
    });
  });

  it('adds the time to delete its row to the timeout of a heartbeat', () => {
    const [given] = probesSection.parse([{ name: 'w', graph: 'fraud', write_heartbeat: {}, interval: '30s' }]);
    expect(given?.polling.timeout).toBe(10_000 + 5000 + 1000);
  });

  it('accepts each kind, named after its key', () => {
    expect(probeKinds.map(({ name }) => name)).toHaveLength(8);
    for (const { name, privilege, cost, calls } of probeKinds) {
      expect([name, privilege, cost]).not.toContain('');
      expect(calls.length).toBeGreaterThan(0);
    }
  });
});
