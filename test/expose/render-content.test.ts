import { describe, expect, it } from 'vitest';
import {
  type PreviousFragments,
  type RenderedContent,
  renderContent,
  type SeriesLimits,
} from '../../src/expose/render-content.ts';
import { emptyHistogram, histogramSamples } from '../../src/metric/histogram-state.ts';
import { histogram, sample } from '../../src/metric/metric.ts';
import { sampleValues } from '../../src/model/exposition.ts';
import { endless, textIn } from './fragments.ts';
import { connections, content, family, up } from './metrics-pages.ts';

const wide: SeriesLimits = { labelValueBytes: 256, ofCollector: 100, ofPage: 100, ofFamily: () => 100 };
const nothing: PreviousFragments = { fragments: new Map(), areBuffersFree: true };

async function rendered(of: ReturnType<typeof content>, bounds: Partial<SeriesLimits> = {}) {
  const { fragments, dropped } = await renderContent(of, nothing, { ...wide, ...bounds }, endless());
  return { lines: [...fragments.values()].map(({ lines }) => textIn(lines.bytes)).join(''), dropped };
}

const hosts = ['x', 'y', 'z'].map((host_id, at) => sample(connections, { host_id }, at));
const server = family('svc_a', 'gauge', [
  [{ x: '1' }, '1'],
  [{ x: '2' }, '2'],
]);

describe('the content of a source', () => {
  it('is our own families, then the server’s', async () => {
    expect(await rendered(content('c', [sample(up, {}, 1)], [server]))).toEqual({
      lines: 'graphdb_up{cluster_name="c"} 1\nsvc_a{cluster_name="c",x="1"} 1\nsvc_a{cluster_name="c",x="2"} 2\n',
      dropped: [],
    });
  });

  it.each([
    ['ofCollector', 'series_per_collector'],
    ['ofPage', 'series_per_page'],
  ])('ends at the limit of series (%s), and counts the rest', async (bound, reason) => {
    const { lines, dropped } = await rendered(content('c', hosts, [server]), { [bound]: 4 });
    expect(lines.split('\n').length - 1).toBe(4);
    expect(lines).not.toContain('x="2"');
    expect(dropped).toEqual([{ reason, family: 'svc_a', series: 1 }]);
  });

  it('has the series of a family up to the remaining limit', async () => {
    const room = new Map([['graphdb_network_connections', 2]]);
    const ofFamily = (name: string): number => room.get(name) ?? 0;
    const { lines, dropped } = await rendered(content('c', hosts, [server]), { ofFamily });
    expect(dropped).toEqual([
      { reason: 'series_per_family', family: 'graphdb_network_connections', series: 1 },
      { reason: 'series_per_family', family: 'svc_a', series: 2 },
    ]);
    expect(lines).toBe(
      'graphdb_network_connections{cluster_name="c",host_id="x"} 0\ngraphdb_network_connections{cluster_name="c",host_id="y"} 1\n',
    );
  });

  it.each([
    [100, 8],
    [8, 8],
    [7, 4],
    [4, 4],
    [3, 0],
  ])('has complete histograms only: limit %i of 8 series', async (room, shown) => {
    const long = histogram({ name: 'graphdb_long_seconds', help: 'Long.', labels: ['host_id'], source: 'x' });
    const samples = ['x', 'y'].flatMap((host_id) => [...histogramSamples(long, { host_id }, emptyHistogram([1]))]);
    const { lines, dropped } = await rendered(content('c', samples), { ofFamily: () => room });
    expect(lines.split('\n').length - 1).toBe(shown);
    expect(lines.match(/_count/g)?.length ?? 0).toBe(shown / 4);
    expect(dropped.reduce((sum, { series }) => sum + series, shown)).toBe(8);
  });

  it('has no series if the limit is exceeded already', async () => {
    const dropped = [{ reason: 'series_per_page', family: 'graphdb_network_connections', series: 3 }];
    expect(await rendered(content('c', hosts), { ofPage: -3 })).toEqual({ lines: '', dropped });
  });

  it('has families of the server under the names of the server, and own families under own names', async () => {
    const foreign = { ...connections, name: 'svc_connections' };
    const refused = family('graphdb_up', 'gauge', [[{}, '7']]);
    expect(await rendered(content('c', [sample(foreign, { host_id: 'x' }, 1)], [refused]))).toEqual({
      lines: '',
      dropped: [
        { reason: 'reserved_name', family: 'svc_connections', series: 1 },
        { reason: 'reserved_name', family: 'graphdb_up', series: 1 },
      ],
    });
  });

  it('keeps the first of two families with the same name', async () => {
    const { lines, dropped } = await rendered(content('c', [], [server, family('svc_a', 'counter', [[{}, '9']])]));
    expect(lines).not.toContain(' 9');
    expect(dropped).toEqual([{ reason: 'duplicate', family: 'svc_a', series: 1 }]);
  });

  it('has every series of an essential family regardless of limits, without counting them against other families', async () => {
    const essential = { ...up, labels: ['node'], essential: true };
    const instances = ['x', 'y', 'z'].map((node) => sample(essential, { node }, 1));
    const { lines, dropped } = await rendered(content('c', [...instances, ...hosts]), { ofPage: 2, ofFamily: () => 2 });
    expect(lines.match(/^graphdb_up/gm)).toHaveLength(3);
    expect(lines.match(/^graphdb_network_connections/gm)).toHaveLength(2);
    expect(dropped).toEqual([{ reason: 'series_per_family', family: 'graphdb_network_connections', series: 1 }]);
  });

  it('reuses rendered prefixes while the base labels are unchanged', async () => {
    const first = await renderContent(content('c', [], [server]), nothing, wide, endless());
    const next = { ...server, values: sampleValues(['10', '20']) };
    const second = await renderContent(content('c', [], [next]), previousOf(first), wide, endless());
    expect(second.fragments.get('svc_a')?.lines.keys).toBe(next.series);
    const third = await renderContent(content('d', [], [next]), previousOf(second), wide, endless());
    expect(textIn(third.fragments.get('svc_a')?.lines.bytes ?? new Uint8Array())).toContain(
      'cluster_name="d",x="1"} 10\n',
    );
  });

  it('reuses the fragment of an unchanged family, and writes all values after a change', async () => {
    const first = await renderContent(content('c', connectionsOf(20), [server]), nothing, wide, endless());
    const same = await renderContent(content('c', connectionsOf(20), [server]), previousOf(first), wide, endless());
    expect(fragmentsIn(same)).toEqual(fragmentsIn(first));
    expect(fragmentsIn(same).map((one, at) => one === fragmentsIn(first)[at])).toEqual([true, true]);
    const next = await renderContent(content('c', connectionsOf(21), [server]), previousOf(same), wide, endless());
    expect(next.fragments.get(connections.name)?.lines.bytes.toString()).toBe(
      'graphdb_network_connections{cluster_name="c",host_id="x"} 1\ngraphdb_network_connections{cluster_name="c",host_id="y"} 21\n',
    );
    const fewer = await renderContent(content('c', connectionsOf(21).slice(0, 1)), previousOf(next), wide, endless());
    expect(fewer.fragments.get(connections.name)?.lines.bytes.toString()).toBe(
      'graphdb_network_connections{cluster_name="c",host_id="x"} 1\n',
    );
    const limited = await renderContent(
      content('c', connectionsOf(21)),
      previousOf(next),
      { ...wide, ofCollector: 1 },
      endless(),
    );
    expect(limited.fragments.get(connections.name)?.lines.keys).toHaveLength(1);
    const moved = await renderContent(content('d', connectionsOf(21)), previousOf(next), wide, endless());
    expect(moved.fragments.get(connections.name)?.base).toBe('cluster_name="d"');
  });
});

function previousOf({ fragments }: RenderedContent): PreviousFragments {
  return { fragments, areBuffersFree: true };
}

function connectionsOf(last: number) {
  return [sample(connections, { host_id: 'x' }, 1), sample(connections, { host_id: 'y' }, last)];
}

function fragmentsIn({ fragments }: RenderedContent) {
  return [connections.name, 'svc_a'].map((name) => fragments.get(name));
}
