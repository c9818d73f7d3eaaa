import { describe, expect, it } from 'vitest';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { sample } from '../../src/metric/metric.ts';
import { sampleValues } from '../../src/model/exposition.ts';
import { FakeClock } from '../support/clock.ts';
import { content, emptyPage, family, linesOf, textOf, up } from './metrics-pages.ts';

describe('families of the server', () => {
  it('keep their names and labels, after those of the cluster', async () => {
    const page = emptyPage();
    const families = [family('svc_cpu_usage', 'gauge', [[{ host_id: 'm1', service_name: '' }, '8.592771']])];
    expect(await page.put('a', content('prod', [], families))).toEqual({ series: 1, dropped: [], cutLabels: 0 });
    expect(await textOf(page)).toBe(
      '# TYPE svc_cpu_usage gauge\nsvc_cpu_usage{cluster_name="prod",host_id="m1",service_name=""} 8.592771\n',
    );
  });

  it('keep their number texts as they are', async () => {
    const page = emptyPage();
    await page.put(
      'a',
      content(
        'a',
        [],
        [
          family('svc_a', 'gauge', [
            [{}, '2.2802625793e+10'],
            [{ x: '1' }, '007.'],
          ]),
        ],
      ),
    );
    expect(await linesOf(page)).toEqual([
      'svc_a{cluster_name="a"} 2.2802625793e+10',
      'svc_a{cluster_name="a",x="1"} 007.',
    ]);
  });

  it('are renamed if a label collides with an own label', async () => {
    const page = emptyPage();
    const rows = [
      [{ cluster_name: 'x', exported_cluster_name: 'y', exported_exported_cluster_name: 'z' }, '1'],
    ] as const;
    await page.put('a', content('a', [], [family('svc_a', 'gauge', rows)]));
    expect(await linesOf(page)).toEqual([
      'svc_a{cluster_name="a",exported_cluster_name="y",exported_exported_cluster_name="z",exported_exported_exported_cluster_name="x"} 1',
    ]);
  });

  it('are counted as repeats if the renamed labels make two series equal', async () => {
    const page = emptyPage();
    const rows = [
      [{ cluster_name: 'x', direction: 'in' }, '1'],
      [{ direction: 'in', exported_cluster_name: 'x' }, '2'],
    ] as const;
    for (const _ of ['first', 'again']) {
      const families = [family('svc_a', 'gauge', rows)];
      expect(await page.put('a', content('a', [], families))).toEqual({
        series: 1,
        dropped: [{ reason: 'duplicate', family: 'svc_a', series: 1 }],
        cutLabels: 0,
      });
      expect(await linesOf(page)).toEqual(['svc_a{cluster_name="a",direction="in",exported_cluster_name="x"} 1']);
    }
  });

  it.each(['graphdb_x', 'graphwarden_x', 'process_x', 'nodejs_x'])('are rejected under own names: %s', async (name) => {
    const page = emptyPage();
    const families = [
      family(name, 'gauge', [
        [{}, '1'],
        [{ a: '1' }, '2'],
      ]),
      family('svc_a', 'gauge', [[{}, '3']]),
    ];
    expect(await page.put('a', content('a', [sample(up, {}, 1)], families))).toMatchObject({
      series: 2,
      dropped: [{ reason: 'reserved_name', series: 2 }],
    });
    expect(await linesOf(page)).toEqual(['graphdb_up{cluster_name="a"} 1', 'svc_a{cluster_name="a"} 3']);
  });

  it('have the type of the first cluster, for any order of polls', async () => {
    const page = emptyPage();
    await page.put('one', content('one', []));
    await page.put('two', content('two', [], [family('svc_a', 'gauge', [[{}, '2']])]));
    expect(await textOf(page)).toContain('# TYPE svc_a gauge');
    await page.put('one', content('one', [], [family('svc_a', 'counter', [[{}, '1']])]));
    expect(await textOf(page)).toBe('# TYPE svc_a counter\nsvc_a{cluster_name="one"} 1\n');
    const second = await page.put(
      'two',
      content(
        'two',
        [],
        [
          family('svc_a', 'gauge', [
            [{}, '2'],
            [{ x: '1' }, '3'],
          ]),
        ],
      ),
    );
    expect(second).toEqual({
      series: 0,
      dropped: [{ reason: 'type_conflict', family: 'svc_a', series: 2 }],
      cutLabels: 0,
    });
    page.remove('one');
    expect(await textOf(page)).toContain('# TYPE svc_a gauge\nsvc_a{cluster_name="two"} 2\n');
  });
});

describe('interned series', () => {
  const clusterLabels = { cluster_name: 'prod', env: 'x' };

  async function shown(parser: ReturnType<typeof createTextParser>, page: ReturnType<typeof emptyPage>, body: string) {
    const result = await parser.parse(new TextEncoder().encode(body));
    if (!result.ok) expect.fail(result.error);
    await page.put('a', { labels: clusterLabels, samples: [], passthrough: result.value.families });
    return linesOf(page);
  }

  it('are rendered as they were written, and as parsed if that differs', async () => {
    const page = emptyPage();
    const lines = await shown(
      createTextParser(new FakeClock()),
      page,
      'svc_a 1\nsvc_b{} 2\nsvc_c{y="2",x="\\"\\\\\\n"} 3\nsvc_d{ x="1" ,} 4\nsvc_e{x="\\d"} 5\nsvc_f{env="y"} 6\nsvc_g{x="env=\\"1\\""} 7\n',
    );
    expect(lines).toEqual([
      'svc_a{cluster_name="prod",env="x"} 1',
      'svc_b{cluster_name="prod",env="x"} 2',
      'svc_c{cluster_name="prod",env="x",y="2",x="\\"\\\\\\n"} 3',
      'svc_d{cluster_name="prod",env="x",x="1"} 4',
      'svc_e{cluster_name="prod",env="x",x="\\\\d"} 5',
      'svc_f{cluster_name="prod",env="x",exported_env="y"} 6',
      'svc_g{cluster_name="prod",env="x",x="env=\\"1\\""} 7',
    ]);
  });

  it('are cut like any other', async () => {
    const page = emptyPage({ labelValueBytes: 16 });
    const lines = await shown(
      createTextParser(new FakeClock()),
      page,
      `svc_a{x="${'y'.repeat(400)}"} 1\nsvc_b{x="\0"} 2\n`,
    );
    expect(lines[0]).toMatch(/,x="y{7}~[0-9a-f]{8}"} 1$/);
    expect(lines[1]).toBe('svc_b{cluster_name="prod",env="x",x="\0"} 2');
  });

  it('follow a page whose values and order change', async () => {
    const parser = createTextParser(new FakeClock());
    const page = emptyPage();
    expect(await shown(parser, page, 'svc_a{x="1"} 1\nsvc_a{x="2"} 2\n')).toHaveLength(2);
    expect((await shown(parser, page, 'svc_a{x="1"} 10\nsvc_a{x="2"} 2e5\n')).map((line) => line.slice(-4))).toEqual([
      '} 10',
      ' 2e5',
    ]);
    expect((await shown(parser, page, 'svc_a{x="2"} 3\nsvc_a{x="1"} 4\n')).map((line) => line.slice(-6))).toEqual([
      '"2"} 3',
      '"1"} 4',
    ]);
  });

  it('do not store labels that no caller reads', async () => {
    const parser = createTextParser(new FakeClock());
    const result = await parser.parse(new TextEncoder().encode('svc_a{x="1"} 1\n'));
    if (!result.ok) expect.fail(result.error);
    const [first] = result.value.families;
    const series =
      first?.series.map(
        (one) =>
          new Proxy(one, {
            get: (target, key) => {
              if (key === 'pairs') throw new Error('the labels were read');
              return Reflect.get(target, key);
            },
          }),
      ) ?? [];
    const page = emptyPage();
    await page.put(
      'a',
      content('a', [], [{ name: 'svc_a', type: 'gauge', help: '', series, values: sampleValues(['1']) }]),
    );
    expect(await linesOf(page)).toEqual(['svc_a{cluster_name="a",x="1"} 1']);
  });
});
