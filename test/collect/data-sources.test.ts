import { describe, expect, it } from 'vitest';
import { dataSources } from '../../src/collect/data-sources.ts';
import { ok } from '../../src/kernel/result.ts';
import type { DataSource } from '../../src/model/inventory.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

function source(name: string, type = 'S3', graph = '', configuration = 'one'): DataSource {
  return { name, type, graph, parts: [`type ${type}`], configuration };
}

describe('data_sources', () => {
  it('shows the number of sources by type and scope', async () => {
    const list = [source('a'), source('fraud/b', 'KAFKA', 'fraud'), source('risk/b', 'KAFKA', 'risk'), source('a')];
    const { error, lines } = await pollOnce(dataSources, { dataSources: ok(list) });
    expect(error).toBeUndefined();
    expect(lines).toEqual([
      'graphdb_data_sources{type="S3",scope="global"} 1',
      'graphdb_data_sources{type="KAFKA",scope="graph"} 2',
      'graphdb_data_sources_uncompared 0',
    ]);
  });

  it('sums the types beyond the limit, and counts the sources that are not compared', async () => {
    const list = Array.from({ length: 10_000 }, (_, at) => source(`s${at}`, `T${at}`));
    const { lines } = await pollOnce(dataSources, { dataSources: ok(list) });
    expect(lines).toHaveLength(20 + 1 + 1);
    expect(lines).toContain('graphdb_data_sources{type="other",scope="global"} 9980');
    expect(lines.at(-1)).toBe('graphdb_data_sources_uncompared 9000');
  });

  it('reports sources that were added, removed or changed, without their configuration', () => {
    const inventory = dataSources.inventory ?? expect.fail('no inventory');
    const before = [source('a'), source('b'), source('c')];
    const after = [source('a', 'S3', '', 'two'), source('b', 'GCS', '', 'two'), source('"d\n<b>')];
    expect(inventory.objects).toEqual(['data_source']);
    expect([...inventory.changes(before, after)].map(({ change, name, detail }) => [change, name, detail])).toEqual([
      ['changed', 'a', 'configuration'],
      ['changed', 'b', '-type S3, +type GCS, configuration'],
      ['added', '"d\n<b>', ''],
      ['removed', 'c', ''],
    ]);
  });

  it('compares the first thousand sources, in any order of the server', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => source(`s${at}`));
    expect([...(dataSources.inventory?.changes([], many) ?? [])]).toHaveLength(1000);
    expect([...(dataSources.inventory?.changes(many, many.toReversed()) ?? [])]).toEqual([]);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(dataSources, { dataSources: failed(reason) });
    expect([error?.reason, lines]).toEqual([reason, []]);
  });
});
