import { describe, expect, it } from 'vitest';
import { baseLabels } from '../../src/expose/labels.ts';
import { draftOwnFamilies } from '../../src/expose/render-content.ts';
import { emptyHistogram, histogramSamples, observe } from '../../src/metric/histogram-state.ts';
import { histogram, sample } from '../../src/metric/metric.ts';
import { endless, restless, textsOf } from './fragments.ts';
import { connections, traffic, up } from './metrics-pages.ts';

const limit = { valueBytes: 256, cut: 0 };
const setting = { base: baseLabels({ cluster_name: 'a' }, limit), limit, before: new Map() };

describe('drafts of our own families', () => {
  it('gather the samples of a family, in the order of the first one', async () => {
    const drafts = await draftOwnFamilies(
      [
        sample(connections, { host_id: 'x' }, 1),
        sample(up, {}, 0.5),
        sample(connections, { host_id: 'y' }, Number.NaN),
      ],
      setting,
      endless(),
    );
    expect(drafts.map(({ family, rows }) => [family.name, family.metric, textsOf(rows.values)])).toEqual([
      ['graphdb_network_connections', connections, ['1', 'NaN']],
      ['graphdb_up', up, ['0.5']],
    ]);
  });

  it('render every declared label, in the declared order', async () => {
    const [draft] = await draftOwnFamilies([sample(traffic, { direction: 'in', host_id: 'x' }, 1)], setting, endless());
    const [key] = draft?.rows.keys ?? [];
    expect(key && draft?.rows.prefix(key)).toBe(
      'graphdb_network_bytes_total{cluster_name="a",host_id="x",direction="in"} ',
    );
  });

  it('compare keys by declared labels alone, and never with series of the server', async () => {
    const [draft] = await draftOwnFamilies([sample(connections, { host_id: 'x' }, 1)], setting, endless());
    expect(draft?.rows.same({ host_id: 'x' }, { host_id: 'x', other: '1' })).toBe(true);
    expect(draft?.rows.same({ host_id: 'x' }, { host_id: 'y' })).toBe(false);
    expect(draft?.rows.same({ host_id: 'x' }, { name: 'a', pairs: ['host_id', 'x'] })).toBe(false);
  });

  it('name the parts of a histogram, and put `le` on its buckets alone', async () => {
    const waits = histogram({ name: 'graphwarden_wait_seconds', help: 'How long.', labels: ['way'], source: 'test' });
    const seen = observe(observe(emptyHistogram([1]), 0.5), 7);
    const [draft, ...others] = await draftOwnFamilies(histogramSamples(waits, { way: 'x' }, seen), setting, endless());
    expect(others).toEqual([]);
    const keys = draft?.rows.keys ?? [];
    expect(keys.map((key) => draft?.rows.prefix(key))).toEqual([
      'graphwarden_wait_seconds_bucket{cluster_name="a",way="x",le="1"} ',
      'graphwarden_wait_seconds_bucket{cluster_name="a",way="x",le="+Inf"} ',
      'graphwarden_wait_seconds_sum{cluster_name="a",way="x"} ',
      'graphwarden_wait_seconds_count{cluster_name="a",way="x"} ',
    ]);
    expect(textsOf(draft?.rows.values)).toEqual(['1', '2', '7.5', '2']);
    const [, , sum, count] = keys;
    expect(sum && count && draft?.rows.same(sum, count)).toBe(false);
  });

  it('yield to other work while many samples are rendered', async () => {
    const slices = restless();
    const samples = Array.from({ length: 10_000 }, (_, at) => sample(connections, { host_id: `${at}` }, at));
    await draftOwnFamilies(samples, setting, slices);
    expect(slices.rests()).toBeGreaterThanOrEqual(9);
  });
});
