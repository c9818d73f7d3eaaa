import { describe, expect, it } from 'vitest';
import { HeartbeatRows } from '../../src/graphdb/heartbeat-rows.ts';
import { digest } from '../support/digest.ts';

const now = { wall: 1_790_000_000_000, mono: 12.5 };

function rowsOf(owner?: string, cluster = 'prod') {
  const rows = new HeartbeatRows({ owner, cluster, digest });
  return { rows, idOf: (graph = 'fraud') => rows.withRow(graph, now, async (id) => id) };
}

describe('the rows of heartbeats', () => {
  it('have the same id in each run of a daemon, also after a restart', async () => {
    const id = await rowsOf('warden-1').idOf();
    expect(id).toMatch(/^b[0-9a-f]{24}-0$/);
    expect(await rowsOf('warden-1').idOf()).toBe(id);
  });

  it('have other ids in other daemons, clusters and graphs', async () => {
    const ids = [
      await rowsOf('warden-1').idOf(),
      await rowsOf('warden-2').idOf(),
      await rowsOf('warden-1', 'test').idOf(),
      await rowsOf('warden-1').idOf('social'),
    ];
    expect(new Set(ids).size).toBe(4);
  });

  it('have other ids at the same time, and the free ones again afterwards, also after a failure', async () => {
    const { rows, idOf } = rowsOf('warden-1');
    const first = await idOf();
    const ids = await rows.withRow('fraud', now, async (one) => {
      const two = await idOf();
      await rows.withRow('fraud', now, () => Promise.reject(new Error('failed'))).catch(() => undefined);
      return [one, two, await idOf()];
    });
    expect(ids).toEqual([first, first.replace(/0$/, '1'), first.replace(/0$/, '1')]);
    expect(await idOf()).toBe(first);
  });

  it('have a separate id for a single run', async () => {
    expect(await rowsOf().idOf()).toBe('b1790000000000-12500');
  });
});
