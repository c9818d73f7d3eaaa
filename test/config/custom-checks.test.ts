import { describe, expect, it } from 'vitest';
import { checkCustomQueries } from '../../src/config/custom-checks.ts';
import { loadConfig } from '../../src/config/load.ts';
import { goodMetric, goodQuery, wrongDefinitions } from './wrong-definitions.ts';
import { goodProbe, wrongProbes } from './wrong-probes.ts';

function load(custom: unknown) {
  const nodes = [{ name: 'm1', url: 'http://10.0.0.1:14240' }];
  return loadConfig(JSON.stringify({ clusters: [{ name: 'prod', labels: { env: 'x' }, nodes }], custom }), 'f', {});
}

describe('an invalid definition of a custom query', () => {
  it.each(wrongDefinitions)('gets its own problem: $title', ({ custom, problem }) => {
    const loaded = load(custom);
    const problems = loaded.ok ? [] : loaded.error;
    const texts = problems.map(({ path, message, hint }) => {
      const key = path.replace(/^custom\[0\]\./, '');
      return `${key}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
    });
    expect(texts).toEqual([problem]);
  });

  it('is one of more than fifty, of which hardly two have the same problem', () => {
    expect(wrongDefinitions.length).toBeGreaterThan(50);
    expect(new Set(wrongDefinitions.map(({ problem }) => problem)).size).toBeGreaterThan(60);
  });

  it('is reported together with the others', () => {
    const loaded = load([
      { ...goodQuery, interval: '1s' },
      { ...goodQuery, name: 'a b', nodes: ['m9'] },
    ]);
    const paths = loaded.ok ? [] : loaded.error.map(({ path }) => path);
    expect(paths.toSorted()).toEqual([
      'custom[0].interval',
      'custom[0].timeout',
      'custom[1].metrics[0].name',
      'custom[1].name',
      'custom[1].nodes[0]',
    ]);
  });
});

describe('checkCustomQueries', () => {
  it('accepts definitions with different names, and the nodes that discovery finds', () => {
    const clusters = [{ name: 'prod', discover: { srv: '_graph' } }];
    const other = { ...goodQuery, name: 'other', nodes: ['m7'], metrics: [{ ...goodMetric, name: 'fraud_other' }] };
    expect(checkCustomQueries({ clusters, custom: [goodQuery, other] })).toEqual([]);
    expect(load([goodQuery])).toMatchObject({ ok: true });
  });

  it.each([[undefined], [7], [{ custom: 'x' }], [{ custom: [7, null, { metrics: [7, { name: 7 }] }] }]])(
    'does not check other mistakes, which the schema reports: %j',
    (value) => {
      expect(checkCustomQueries(value)).toEqual([]);
    },
  );
});

function loadProbes(...probes: readonly object[]) {
  const nodes = [{ name: 'm1', url: 'http://10.0.0.1:14240' }];
  return loadConfig(JSON.stringify({ clusters: [{ name: 'prod', nodes }], probes }, null, 2), 'graphwarden.yml', {});
}

describe('an invalid definition of a probe', () => {
  it.each(wrongProbes)('is reported at its path: $title', ({ probe, problem }) => {
    const loaded = loadProbes(probe);
    const problems = loaded.ok ? [] : loaded.error;
    const texts = problems.map(({ path, message, hint }) => {
      const key = path.replace(/^probes\[0\]\.?/, '');
      return `${key === '' ? '' : `${key}: `}${message}${hint === undefined ? '' : ` (${hint})`}`;
    });
    expect(texts).toEqual([problem]);
    expect(problems[0]).toMatchObject({
      file: 'graphwarden.yml',
      line: expect.any(Number),
      column: expect.any(Number),
    });
  });

  it('is one of more than fifty, most of which have separate problems', () => {
    expect(wrongProbes.length).toBeGreaterThan(50);
    expect(new Set(wrongProbes.map(({ problem }) => problem)).size).toBeGreaterThan(50);
  });

  it('includes a repeated name; the same name may belong to a custom query', () => {
    const loaded = loadProbes(goodProbe, goodProbe);
    const texts = loaded.ok ? [] : loaded.error.map(({ path, message }) => `${path}: ${message}`);
    expect(texts).toEqual(['probes[1].name: is already used by probes[0]; choose another name']);
    expect(loadProbes(goodProbe).ok).toBe(true);
  });
});
