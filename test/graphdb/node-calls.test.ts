import { describe, expect, it } from 'vitest';
import { clusterOver, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

/** The one graph that the server knows. */
function schema(graphName: string) {
  return ['GET /gsql/v1/schema/graphs', answer({ error: false, graphs: [{ graphName }] })] as const;
}

/** A table of versions of one component. */
function versionOf(release: string) {
  return answer({ error: 'false', message: `gpe release_${release}_x ${'a'.repeat(40)}` });
}

describe('the calls of a node', () => {
  it('caches its versions for some minutes', async () => {
    const clock = new FakeClock();
    const version = answer({ error: 'false', message: `gpe release_4.1.0_x ${'a'.repeat(40)}` });
    const gsql = answer('GSQL version: 4.1.0');
    const pool = new FakePool(['GET /restpp/version', version], ['GET /gsql/v1/version', gsql]);
    const { db } = clusterOver({ 'http://m1': pool }, {}, clock).node({ name: 'm1', url: 'http://m1' });
    const first = await db.versions(neverAborted());
    expect(await db.versions(neverAborted())).toEqual(first);
    await clock.advance(300_000);
    pool.alsoExpect(['GET /restpp/version', version], ['GET /gsql/v1/version', gsql]);
    expect(await db.versions(neverAborted())).toEqual(first);
  });

  it('drops its versions when it is unreachable, because it may return with others', async () => {
    const gsql = answer('GSQL version: 4.1.0');
    const pool = new FakePool(['GET /restpp/version', versionOf('4.1.0')], ['GET /gsql/v1/version', gsql]);
    const { db } = clusterOver({ 'http://m1': pool }).node({ name: 'm1', url: 'http://m1' });
    await db.versions(neverAborted());
    pool.alsoExpect(['GET /api/ping', answer('', 503)], ['GET /restpp/version', versionOf('4.2.0')]);
    pool.alsoExpect(['GET /gsql/v1/version', gsql]);
    await db.ping(neverAborted());
    expect(await db.versions(neverAborted())).toMatchObject({ value: [{ version: '4.2.0' }, {}] });
  });

  it.each(['statistics', 'processList'] as const)(
    'discovers the graphs again when %s does not find the graph',
    async (call) => {
      const clock = new FakeClock();
      const gone = answer({ error: true, code: 'REST-1004', message: 'no such graph' }, 404);
      const path = call === 'statistics' ? 'statistics/old?seconds=60&segments=100' : 'showprocesslist/old';
      const pool = new FakePool(schema('old'));
      const { db } = clusterOver({ 'http://m1': pool }, { serverVersion: '4.1' }, clock).node({
        name: 'm1',
        url: 'http://m1',
      });
      await db.graphs(neverAborted());
      await clock.advance(60_000);
      pool.alsoExpect([`GET /restpp/${path}`, gone], schema('renamed'));
      expect(failureOf(await db[call]('old', neverAborted())).reason).toBe('unsupported');
      await db.graphs(neverAborted());
      await clock.settle();
      expect(await db.graphs(neverAborted())).toEqual({ ok: true, value: ['renamed'] });
    },
  );
});
