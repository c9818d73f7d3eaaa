import { describe, expect, it } from 'vitest';
import { PublishedSources, type SourceSamples } from '../../../src/app/page/published-sources.ts';
import type { SourceContent } from '../../../src/expose/metrics-page.ts';
import { gauge, sample } from '../../../src/metric/metric.ts';
import type { SeriesDrop } from '../../../src/model/series-drop.ts';

const level = gauge({ name: 'graphwarden_level', help: 'Level.', labels: ['of'], source: 'test' });

function showing(value: number, cluster = 'prod'): SourceSamples {
  return { labels: { cluster_name: cluster }, samples: [sample(level, { of: 'water' }, value)] };
}

function recordingPage(room = Number.POSITIVE_INFINITY) {
  const puts: string[] = [];
  const removed: string[] = [];
  const page = {
    put: async (source: string, { labels, samples }: SourceContent) => {
      const values = [...samples].map(({ metric, labels: own, value }) => `${metric.name} ${own.of} ${value}`);
      puts.push([source, labels.cluster_name, ...values].join('|'));
      const series = Math.max(0, values.length - room);
      const dropped: readonly SeriesDrop[] = [{ reason: 'series_per_page', family: level.name, series }];
      return { series: values.length - series, dropped: series === 0 ? [] : dropped, cutLabels: 0 };
    },
    remove: (source: string) => void removed.push(source),
  };
  return { page, puts, removed };
}

describe('published sources', () => {
  it('are put under their names, with their labels', async () => {
    const { page, puts } = recordingPage();
    await new PublishedSources().publish(page, new Map([['one', showing(1)]]));
    expect(puts).toEqual(['one|prod|graphwarden_level water 1']);
  });

  it('are put again only if they changed', async () => {
    const sources = new PublishedSources();
    const { page, puts } = recordingPage();
    await sources.publish(
      page,
      new Map([
        ['one', showing(1)],
        ['two', showing(2)],
      ]),
    );
    await sources.publish(
      page,
      new Map([
        ['one', showing(1)],
        ['two', showing(3)],
      ]),
    );
    expect(puts.map((put) => put.split('|')[0])).toEqual(['one', 'two', 'two']);
    await Promise.all(
      [4, 4].map((value) =>
        sources.publish(
          page,
          new Map([
            ['one', showing(1)],
            ['two', showing(value)],
          ]),
        ),
      ),
    );
    expect(puts).toHaveLength(4);
  });

  it('are not compared if the list is the same object', async () => {
    const sources = new PublishedSources();
    const { page, puts } = recordingPage();
    let looks = 0;
    const [water = expect.fail()] = showing(1).samples;
    const counted = {
      ...water,
      get value() {
        looks += 1;
        return 1;
      },
    };
    const samples = [counted];
    await sources.publish(page, new Map([['one', { ...showing(1), samples }]]));
    const before = looks;
    expect(before).toBeGreaterThan(0);
    await sources.publish(page, new Map([['one', { ...showing(1), samples }]]));
    expect([looks, puts.length]).toEqual([before, 1]);
  });

  it('are put again if their labels changed', async () => {
    const sources = new PublishedSources();
    const { page, puts } = recordingPage();
    await sources.publish(page, new Map([['one', showing(1)]]));
    await sources.publish(page, new Map([['one', showing(1, 'test')]]));
    expect(puts).toHaveLength(2);
  });

  it('are put again if lazy samples are another object', async () => {
    const sources = new PublishedSources();
    const { page, puts } = recordingPage();
    const lazy = (value: number): SourceSamples => {
      const { labels, samples } = showing(value);
      return { labels, samples: { [Symbol.iterator]: () => samples[Symbol.iterator]() } };
    };
    const one = lazy(1);
    await sources.publish(page, new Map([['one', one]]));
    await sources.publish(page, new Map([['one', { ...one, labels: { ...one.labels } }]]));
    expect(puts).toHaveLength(1);
    await sources.publish(page, new Map([['one', lazy(1)]]));
    expect(puts).toHaveLength(2);
  });

  it('are put again on another page', async () => {
    const sources = new PublishedSources();
    const [first, second] = [recordingPage(), recordingPage()];
    await sources.publish(first.page, new Map([['one', showing(1)]]));
    await sources.publish(second.page, new Map([['one', showing(1)]]));
    expect(second.puts).toHaveLength(1);
  });

  it('are put again without the unchanged ones', async () => {
    const sources = new PublishedSources();
    const { page, puts, removed } = recordingPage();
    const both = new Map([
      ['one', showing(1)],
      ['two', showing(2)],
    ]);
    await sources.publish(page, both);
    await sources.update(page, [['two', showing(3)]]);
    await sources.update(page, [['two', showing(3)]]);
    expect(puts.slice(2)).toEqual(['two|prod|graphwarden_level water 3']);
    expect(removed).toEqual([]);
  });

  it('are removed if they are not in the next publication', async () => {
    const sources = new PublishedSources();
    const { page, removed } = recordingPage();
    await sources.publish(
      page,
      new Map([
        ['one', showing(1)],
        ['two', showing(2)],
      ]),
    );
    await sources.publish(page, new Map([['two', showing(2)]]));
    expect(removed).toEqual(['one']);
  });

  it('are counted while the page drops their series', async () => {
    const sources = new PublishedSources();
    const { page } = recordingPage(0);
    const both = new Map([
      ['one', showing(1)],
      ['two', showing(2)],
    ]);
    await sources.publish(page, both);
    await sources.publish(page, both);
    const drop = { reason: 'series_per_page', family: level.name, series: 1 };
    expect([...sources.dropped()]).toEqual([
      ['prod', [drop]],
      ['prod', [drop]],
    ]);
    await sources.publish(page, new Map([['two', showing(2)]]));
    expect([...sources.dropped()]).toEqual([['prod', [drop]]]);
    await sources.publish(recordingPage().page, new Map([['two', showing(2)]]));
    expect([...sources.dropped()]).toEqual([['prod', []]]);
  });
});
