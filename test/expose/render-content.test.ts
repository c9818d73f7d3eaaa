import { describe, expect, it } from 'vitest';
import { renderContent, type SeriesLimits } from '../../src/expose/render-content.ts';
import { emptyHistogram, histogramSamples } from '../../src/metric/histogram-state.ts';
import { histogram, sample } from '../../src/metric/metric.ts';
import { sampleValues } from '../../src/model/exposition.ts';
import { endless, textIn } from './fragments.ts';
import { connections, content, family, up } from './metrics-pages.ts';

const wide: SeriesLimits = { labelValueBytes: 256, series: 100, seriesOfFamily: () => 100 };
const nothing = new Map();

async function rendered(of: ReturnType<typeof content>, bounds: Partial<SeriesLimits> = {}) {
  const { fragments, offered } = await renderContent(of, nothing, { ...wide, ...bounds }, endless());
  return { lines: [...fragments.values()].map(({ lines }) => textIn(lines.bytes)).join(''), offered };
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
      offered: 3,
    });
  });

  it('ends where the source has no more room, and all that was offered is counted', async () => {
    const { lines, offered } = await rendered(content('c', hosts, [server]), { series: 4 });
    expect(lines.split('\n').length - 1).toBe(4);
    expect(lines).not.toContain('x="2"');
    expect(offered).toBe(5);
  });

  it('has as much of a family as there is room for', async () => {
    const room = new Map([['graphdb_network_connections', 2]]);
    const { lines } = await rendered(content('c', hosts, [server]), { seriesOfFamily: (name) => room.get(name) ?? 0 });
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
  ])('has whole histograms alone: room for %i of 8 series', async (room, shown) => {
    const long = histogram({ name: 'graphdb_long_seconds', help: 'Long.', labels: ['host_id'], source: 'x' });
    const samples = ['x', 'y'].flatMap((host_id) => [...histogramSamples(long, { host_id }, emptyHistogram([1]))]);
    const { lines, offered } = await rendered(content('c', samples), { seriesOfFamily: () => room });
    expect(lines.split('\n').length - 1).toBe(shown);
    expect(lines.match(/_count/g)?.length ?? 0).toBe(shown / 4);
    expect(offered).toBe(8);
  });

  it('shows nothing where the room is overdrawn', async () => {
    expect(await rendered(content('c', hosts), { series: -3 })).toEqual({ lines: '', offered: 3 });
  });

  it('has the server’s families under the server’s names alone, and ours under ours', async () => {
    const foreign = { ...connections, name: 'svc_connections' };
    const refused = family('graphdb_up', 'gauge', [[{}, '7']]);
    expect(await rendered(content('c', [sample(foreign, { host_id: 'x' }, 1)], [refused]))).toEqual({
      lines: '',
      offered: 2,
    });
  });

  it('takes the first of two families of one name', async () => {
    const { lines, offered } = await rendered(content('c', [], [server, family('svc_a', 'counter', [[{}, '9']])]));
    expect(lines).not.toContain(' 9');
    expect(offered).toBe(3);
  });

  it('copies prefixes of what was shown before, as long as the base labels are the same', async () => {
    const first = await renderContent(content('c', [], [server]), nothing, wide, endless());
    const next = { ...server, values: sampleValues(['10', '20']) };
    const second = await renderContent(content('c', [], [next]), first.fragments, wide, endless());
    expect(second.fragments.get('svc_a')?.lines.keys).toBe(next.series);
    const third = await renderContent(content('d', [], [next]), second.fragments, wide, endless());
    expect(textIn(third.fragments.get('svc_a')?.lines.bytes ?? new Uint8Array())).toContain(
      'cluster_name="d",x="1"} 10\n',
    );
  });
});
