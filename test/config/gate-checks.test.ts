import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { checkGates } from '../../src/config/gate-checks.ts';

function found(gate: unknown, given: unknown = {}): readonly string[] {
  return checkGates(['gate'], gate, { given, collectors }).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a gate', () => {
  it.each([
    ['node_memory', '2m'],
    ['node_cpu', '2m'],
    ['queue_depth', '10s'],
    ['queue_oldest', '10s'],
  ])('on %s has to last for two refresh periods of its source: %s', (source, least) => {
    expect(found({ any: [{ [source]: '> 1', for: least }] })).toEqual([]);
    const [complaint] = found({ all: [{ [source]: '> 1', for: '9s' }] });
    expect(complaint).toMatch(
      new RegExp(`^gate\\.all\\.0\\.for: must be at least ${least}: ${source} has a new value every`),
    );
  });

  it('uses the configured intervals', () => {
    const gate = { any: [{ node_cpu: '> 0.9', for: '2m' }] };
    expect(found(gate, { metrics: { interval: '1m' } })).toEqual([]);
    expect(found(gate, { metrics: { interval: '61s' } })).toEqual([
      'gate.any.0.for: must be at least 2m2s: node_cpu has a new value every 1m1s, and the gate needs 2 values',
    ]);
  });

  it('uses the fallback if its first source is disabled', () => {
    const gate = { any: [{ node_cpu: '> 0.9', for: '1m' }] };
    expect(found(gate, { metrics: { enabled: false } })).toEqual([
      'gate.any.0.for: must be at least 2m: node_cpu has a new value every 1m, and the gate needs 2 values',
    ]);
  });

  it('on a host needs the collector that has the age of the values', () => {
    expect(found({ any: [{ node_cpu: '> 0.9', for: '3m' }] }, { categories: { enabled: false } })).toEqual([
      'gate.any.0.node_cpu: has values of unknown age, because collectors.categories is disabled; enable it or remove the condition',
    ]);
  });

  it('on a source without an enabled collector is rejected, because it would never open', () => {
    const off = { metrics: { enabled: false }, categories: { enabled: false }, delayed_queries: { enabled: false } };
    const gate = {
      any: [
        { node_memory: '> 0.9', for: '9s' },
        { queue_depth: '> 9', for: '9s' },
      ],
    };
    expect(found(gate, off)).toEqual([
      'gate.any.0.node_memory: has no data, because collectors.metrics is disabled; enable it or remove the condition',
      'gate.any.1.queue_depth: has no data, because collectors.delayed_queries is disabled; enable it or remove the condition',
    ]);
  });

  it.each([
    [undefined],
    ['x'],
    [{ any: 'x' }],
    [{ any: [null, 'x', {}] }],
    [{ any: [{ node_cpu: '> 0.9' }] }],
    [{ any: [{ node_cpu: '> 0.9', for: 9 }] }],
    [{ any: [{ node_cpu: '> 0.9', for: 'soon' }] }],
    [{ any: [{ node_cpu: '> 0.9', for: '0s' }] }],
    [{ any: [{ node_swap: '> 0.9', for: '1s' }] }],
  ])('that is %j is not checked, because the schema reports it', (gate) => {
    expect(found(gate)).toEqual([]);
  });

  it('is not checked while the collectors are invalid', () => {
    expect(found({ any: [{ node_cpu: '> 0.9', for: '1s' }] }, { metrics: { interval: 'often' } })).toEqual([]);
  });
});
