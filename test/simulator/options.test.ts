import { describe, expect, it } from 'vitest';
import { withDefaults } from '../../src/simulator/options.ts';

describe('withDefaults', () => {
  it('has defaults for a small, calm cluster without authentication, with the limits of real servers', () => {
    expect(withDefaults({})).toEqual({
      nodes: 3,
      graphs: ['fraud', 'social'],
      version: '4.1.2',
      prefix: 'svc_',
      auth: { kind: 'none' },
      scenario: 'calm',
      seed: 1,
      host: '127.0.0.1',
      ports: [],
      instancesPerNode: 0,
      extraTypes: 0,
      padding: 0,
      clockSkew: 0,
      speed: 1,
      maxConcurrentQueries: 50,
      maxDelayQueueSize: 20,
      licenseDays: 300,
    });
  });

  it('keeps given values', () => {
    const tls = { cert: 'c', key: 'k' };
    expect(withDefaults({ nodes: 5, prefix: 'tigergraph_', tls })).toMatchObject({
      nodes: 5,
      prefix: 'tigergraph_',
      tls,
    });
  });
});
