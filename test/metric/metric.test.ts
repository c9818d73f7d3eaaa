import { describe, expect, it } from 'vitest';
import { counter, gauge, sample, summary } from '../../src/metric/metric.ts';

const described = { help: 'Of something.', source: 'GET /x' };

describe('declared families', () => {
  it('have a type, and labels only if declared', () => {
    expect(gauge({ name: 'a', ...described })).toEqual({
      name: 'a',
      type: 'gauge',
      labels: [],
      keep: false,
      essential: false,
      ...described,
    });
    expect(summary({ name: 's', labels: ['quantile'], ...described })).toMatchObject({
      type: 'summary',
      labels: ['quantile'],
    });
  });

  it('stay on the page if their value is valid for the life of the process', () => {
    expect(counter({ name: 'a_total', ...described }).keep).toBe(true);
    expect(gauge({ name: 'a', ...described }).keep).toBe(false);
    expect(gauge({ name: 'a', keep: true, ...described }).keep).toBe(true);
  });

  it('are essential if declared so, or if they are about graphwarden', () => {
    expect(gauge({ name: 'graphdb_a', ...described }).essential).toBe(false);
    expect(gauge({ name: 'graphdb_a', essential: true, ...described }).essential).toBe(true);
    expect(gauge({ name: 'graphwarden_a', ...described }).essential).toBe(true);
    expect(counter({ name: 'graphwarden_a_total', ...described }).essential).toBe(true);
  });

  it('create samples that refer to them', () => {
    const metric = gauge({ name: 'a', labels: ['graph', 'query'], ...described });
    expect(sample(metric, { graph: 'g', query: '' }, 3)).toEqual({
      metric,
      labels: { graph: 'g', query: '' },
      value: 3,
    });
  });

  it('require exactly their labels', () => {
    const metric = gauge({ name: 'a', labels: ['graph'], ...described });
    // @ts-expect-error a label is missing
    const missing = sample(metric, {}, 1);
    // @ts-expect-error a label too many
    const surplus = sample(metric, { graph: 'g', node: 'm1' }, 1);
    expect([missing.metric, surplus.metric]).toEqual([metric, metric]);
  });
});
