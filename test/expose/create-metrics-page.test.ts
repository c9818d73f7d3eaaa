import { describe, expect, it } from 'vitest';
import { type Sample, sample } from '../../src/metric/metric.ts';
import type { SeriesDropReason } from '../../src/model/series-drop.ts';
import { connections, content, emptyPage, family, latency, linesOf, textOf, traffic, up } from './metrics-pages.ts';

function* broken() {
  yield sample(up, {}, 2);
  throw new Error('a bug');
}

function hosts(count: number): readonly Sample[] {
  return Array.from({ length: count }, (_, at) => sample(connections, { host_id: `m${at}` }, at));
}

function named(...names: readonly string[]): readonly Sample[] {
  return names.map((host_id) => sample(connections, { host_id }, names.length));
}

describe('a page', () => {
  it('is empty before the first put', async () => {
    const page = emptyPage();
    expect(await textOf(page)).toBe('');
    expect(await textOf(page, 'openmetrics', 'x 1\n')).toBe('x 1\n# EOF\n');
    expect(page.metrics()).toEqual([]);
  });

  it('shows families sorted, with base labels first and declared labels in their order', async () => {
    const page = emptyPage();
    const labels = { direction: 'in', host_id: 'm1' };
    const shown = await page.put('a', {
      labels: { cluster_name: 'prod', env: 'x', node: 'n1' },
      samples: [sample(up, {}, 1), sample(traffic, labels, 5)],
    });
    expect(shown).toEqual({ series: 2, dropped: [], cutLabels: 0 });
    expect(await linesOf(page)).toEqual([
      'graphdb_network_bytes_total{cluster_name="prod",env="x",node="n1",host_id="m1",direction="in"} 5',
      'graphdb_up{cluster_name="prod",env="x",node="n1"} 1',
    ]);
    expect(page.metrics()).toEqual([traffic, up]);
  });

  it('puts one header before the fragments of all sources', async () => {
    const page = emptyPage();
    await page.put('a', content('a', [sample(up, {}, 1)]));
    await page.put('b', content('b', [sample(up, {}, 0)]));
    expect(await textOf(page)).toBe(
      '# HELP graphdb_up Whether the node answers.\n# TYPE graphdb_up gauge\n' +
        'graphdb_up{cluster_name="a"} 1\ngraphdb_up{cluster_name="b"} 0\n',
    );
  });

  it('replaces the series of a source, and keeps the rank of its first put', async () => {
    const page = emptyPage();
    await page.put('a', content('a', []));
    await page.put('b', content('b', [sample(up, {}, 1)]));
    await page.put('a', content('a', [sample(up, {}, 2)]));
    await page.put('b', content('b', [sample(up, {}, 3)]));
    expect(await linesOf(page)).toEqual(['graphdb_up{cluster_name="a"} 2', 'graphdb_up{cluster_name="b"} 3']);
  });

  it('follows rows that are added, removed, moved and changed', async () => {
    const page = emptyPage();
    const show = async (...rows: readonly (readonly [string, number])[]) => {
      await page.put(
        'a',
        content(
          'a',
          rows.map(([host_id, value]) => sample(connections, { host_id }, value)),
        ),
      );
      return (await linesOf(page)).map((line) => line.replace(/.*host_id="(.*)"} /, '$1 '));
    };
    expect(await show(['x', 1], ['y', 2])).toEqual(['x 1', 'y 2']);
    expect(await show(['x', 1000], ['y', -0.25])).toEqual(['x 1000', 'y -0.25']);
    expect(await show(['x', 3], ['new', 4], ['y', 5])).toEqual(['x 3', 'new 4', 'y 5']);
    expect(await show(['y', 6], ['x', 7])).toEqual(['y 6', 'x 7']);
    expect(await show(['y', Number.NaN])).toEqual(['y NaN']);
    expect(await show(['y', Number.POSITIVE_INFINITY], ['z', Number.NEGATIVE_INFINITY])).toEqual(['y +Inf', 'z -Inf']);
    expect(await show()).toEqual([]);
  });

  it('renders again when the labels of a source change', async () => {
    const page = emptyPage();
    await page.put('a', content('old', [sample(connections, { host_id: 'x' }, 1)]));
    await page.put('a', content('new', [sample(connections, { host_id: 'x' }, 1)]));
    expect(await linesOf(page)).toEqual(['graphdb_network_connections{cluster_name="new",host_id="x"} 1']);
  });

  it('applies overlapping puts in order', async () => {
    const page = emptyPage();
    await Promise.all([1, 2, 3].map((value) => page.put('a', content('a', [sample(up, {}, value)]))));
    expect(await linesOf(page)).toEqual(['graphdb_up{cluster_name="a"} 3']);
  });

  it('keeps its content if samples throw, and rejects', async () => {
    const page = emptyPage();
    await page.put('a', content('a', [sample(up, {}, 1)]));
    await expect(page.put('a', { labels: { cluster_name: 'a' }, samples: broken() })).rejects.toThrow('a bug');
    expect(await linesOf(page)).toEqual(['graphdb_up{cluster_name="a"} 1']);
    await page.put('b', content('b', [sample(up, {}, 3)]));
    expect(await linesOf(page)).toHaveLength(2);
  });

  it('is independent of another page', async () => {
    const [one, other] = [emptyPage(), emptyPage()];
    await one.put('a', content('a', [sample(up, {}, 1)]));
    expect(await linesOf(other)).toEqual([]);
  });
});

describe('expired sources', () => {
  const both = content('a', [sample(up, {}, 1), sample(traffic, { host_id: 'x', direction: 'in' }, 5)]);
  const trafficLine = 'graphdb_network_bytes_total{cluster_name="a",host_id="x",direction="in"} 5';

  it('lose their gauges and keep their counters', async () => {
    const page = emptyPage();
    await page.put('a', both);
    page.expire('a');
    expect(await linesOf(page)).toEqual([trafficLine]);
  });

  it('keep counters that a later content does not have, and replace the gauges', async () => {
    const page = emptyPage();
    await page.put('a', both);
    await page.put('a', content('a', [sample(connections, { host_id: 'x' }, 2)]));
    expect(await linesOf(page)).toEqual([trafficLine, 'graphdb_network_connections{cluster_name="a",host_id="x"} 2']);
  });

  it('keep no counter that another source exposes, in a later content or after it expired', async () => {
    const page = emptyPage();
    const supersededFamilies = new Set([traffic.name]);
    const counted = [sample(traffic, { host_id: 'm1', direction: 'in' }, 5), sample(up, {}, 1)];
    await page.put('a', content('a', counted));
    await page.put('a', { ...content('a', [sample(up, {}, 0)]), supersededFamilies });
    expect(await linesOf(page)).toEqual(['graphdb_up{cluster_name="a"} 0']);
    await page.put('a', content('a', counted));
    page.expire('a', supersededFamilies);
    expect(await linesOf(page)).toEqual([]);
  });

  it('forgets a removed source, also while it is being put', async () => {
    const page = emptyPage();
    await page.put('a', both);
    const late = page.put('a', both);
    page.remove('a');
    expect(await late).toEqual({ series: 0, dropped: [], cutLabels: 0 });
    expect(await textOf(page)).toBe('');
    page.expire('a');
    page.remove('a');
    expect(await textOf(page)).toBe('');
  });

  it('lose the families of the server', async () => {
    const page = emptyPage();
    await page.put('a', content('a', [], [family('svc_requests_total', 'counter', [[{}, '1']])]));
    page.expire('a');
    expect(await linesOf(page)).toEqual([]);
  });
});

const hostFamily = 'graphdb_network_connections';

function drops(reason: SeriesDropReason, series: number, name = hostFamily) {
  return [{ reason, family: name, series }];
}

describe('limits', () => {
  it('apply to the family of a cluster, over all sources', async () => {
    const page = emptyPage({ seriesPerFamily: 5 });
    const node = (name: string, count: number) => ({
      labels: { cluster_name: 'c', node: name },
      samples: hosts(count),
    });
    expect(await page.put('a', node('a', 3))).toEqual({ series: 3, dropped: [], cutLabels: 0 });
    expect(await page.put('b', node('b', 3))).toEqual({
      series: 2,
      dropped: drops('series_per_family', 1),
      cutLabels: 0,
    });
    expect(await page.put('a', node('a', 3))).toEqual({ series: 3, dropped: [], cutLabels: 0 });
    page.remove('a');
    expect(await page.put('b', node('b', 6))).toEqual({
      series: 5,
      dropped: drops('series_per_family', 1),
      cutLabels: 0,
    });
  });

  it('of a family do not depend on other clusters', async () => {
    const page = emptyPage({ seriesPerFamily: 5 });
    for (const cluster of ['a', 'b', 'c']) {
      expect(await page.put(cluster, content(cluster, hosts(5)))).toEqual({ series: 5, dropped: [], cutLabels: 0 });
    }
    expect(await page.put('a', content('renamed', hosts(6)))).toEqual({
      series: 5,
      dropped: drops('series_per_family', 1),
      cutLabels: 0,
    });
    expect(await page.put('d', content('a', hosts(5)))).toEqual({ series: 5, dropped: [], cutLabels: 0 });
  });

  it('apply to a source', async () => {
    const page = emptyPage({ seriesPerCollector: 4 });
    const families = [
      family('svc_a', 'gauge', [
        [{}, '1'],
        [{ x: '1' }, '2'],
        [{ x: '2' }, '3'],
      ]),
    ];
    const dropped = (series: number) => drops('series_per_collector', series, 'svc_a');
    expect(await page.put('a', content('a', hosts(2), families))).toEqual({
      series: 4,
      dropped: dropped(1),
      cutLabels: 0,
    });
    expect(await page.put('b', content('b', hosts(4), families))).toEqual({
      series: 4,
      dropped: dropped(3),
      cutLabels: 0,
    });
  });

  it('apply to the page', async () => {
    const page = emptyPage({ seriesPerPage: 5 });
    await page.put('a', content('a', hosts(3)));
    const both = content('b', [sample(up, {}, 1), ...hosts(3)]);
    expect(await page.put('b', both)).toEqual({ series: 2, dropped: drops('series_per_page', 2), cutLabels: 0 });
    expect(await linesOf(page)).toHaveLength(5);
    const late = await page.put('c', content('c', [sample(up, {}, 1)]));
    expect(late).toEqual({ series: 0, dropped: drops('series_per_page', 1, up.name), cutLabels: 0 });
  });
});

describe('repeated series', () => {
  it('are dropped within a source in each poll result: the first one is kept', async () => {
    const page = emptyPage();
    for (const value of [1, 2]) {
      const rows = ['x', 'y', 'x'].map((host_id, at) => sample(connections, { host_id }, value * 10 + at));
      expect(await page.put('a', content('a', rows))).toEqual({
        series: 2,
        dropped: drops('duplicate', 1),
        cutLabels: 0,
      });
      expect(await linesOf(page)).toEqual([
        `graphdb_network_connections{cluster_name="a",host_id="x"} ${value}0`,
        `graphdb_network_connections{cluster_name="a",host_id="y"} ${value}1`,
      ]);
    }
  });

  it('are dropped between sources: the first source keeps its series', async () => {
    const page = emptyPage();
    await page.put('first', content('a', []));
    expect(await page.put('second', content('a', named('x', 'y')))).toEqual({ series: 2, dropped: [], cutLabels: 0 });
    expect(await page.put('first', content('a', named('y')))).toEqual({ series: 1, dropped: [], cutLabels: 0 });
    expect(await page.put('second', content('a', named('x', 'y')))).toEqual({
      series: 1,
      dropped: drops('duplicate', 1),
      cutLabels: 0,
    });
    expect(await linesOf(page)).toEqual([
      'graphdb_network_connections{cluster_name="a",host_id="y"} 1',
      'graphdb_network_connections{cluster_name="a",host_id="x"} 2',
    ]);
    page.expire('first');
    expect(await linesOf(page)).toHaveLength(2);
  });
});

describe('label values', () => {
  it('are empty if a sample does not have them', async () => {
    const page = emptyPage();
    await page.put('a', content('a', [{ metric: traffic, labels: { host_id: 'x' }, value: 1 }]));
    expect(await linesOf(page)).toEqual(['graphdb_network_bytes_total{cluster_name="a",host_id="x",direction=""} 1']);
  });

  it('are not repeated if a source has the label already', async () => {
    const page = emptyPage();
    const samples = [sample(connections, { host_id: 'x' }, 1)];
    await page.put('a', { labels: { cluster_name: 'a', host_id: 'y' }, samples });
    expect(await linesOf(page)).toEqual(['graphdb_network_connections{cluster_name="a",host_id="y"} 1']);
  });

  it('stay different when they are cut', async () => {
    const page = emptyPage({ labelValueBytes: 20 });
    const path = 'ä'.repeat(30);
    const samples = ['1', '2'].map((end) => sample(latency, { path: path + end, quantile: '0.5' }, 1));
    expect(await page.put('a', content('a', samples))).toEqual({ series: 2, dropped: [], cutLabels: 2 });
    for (const line of await linesOf(page)) expect(line).toMatch(/path="ä{5}~[0-9a-f]{8}"/);
  });
});
