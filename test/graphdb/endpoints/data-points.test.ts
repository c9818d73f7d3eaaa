import { describe, expect, it } from 'vitest';
import { fetchDataPoints } from '../../../src/graphdb/endpoints/data-points.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';

const path = 'GET /ts3/api/datapoints';
const [cpu, memory] = [`${path}?what=cpu&latest=1000`, `${path}?what=mem&latest=1000`];

function read(...exchanges: readonly Exchange[]) {
  return fetchDataPoints(callerOver(new FakePool(...exchanges), { serverVersion: '3.8' }), neverAborted());
}

function point(who: string, detail: unknown, more: object = {}) {
  return { detail, when: 1_790_000_473, where: 'm1', who, what: 'cpu', ...more };
}

describe('data points', () => {
  it('are one row for each service of a host, with processors and memory', async () => {
    const rows = await read(
      [cpu, answer([point('RESTPP#1', 1.5), point('GPE_1#1', 3), point('GPE_1#1', 0, { where: 'm2' })])],
      [memory, answer([point('RESTPP#1', 159), point('GPE_1#1', '682')])],
    );
    const row = { hostId: 'm1', collectedNs: '1790000473000000000' };
    expect(new Set(factsOf(rows))).toEqual(
      new Set([
        { ...row, service: 'RESTPP', cpuPercent: 1.5, memoryMb: 159 },
        { ...row, service: 'GPE', cpuPercent: 3, memoryMb: 682 },
        { ...row, hostId: 'm2', service: 'GPE', cpuPercent: 0 },
      ]),
    );
  });

  it('are the newest of a service, and those of its first instance', async () => {
    const points = [
      point('GPE_1#1', 7, { when: 1_790_000_500 }),
      point('GPE_1#1', 1),
      point('GPE_1#2', 9, { when: 1_790_000_600 }),
    ];
    const rows = factsOf(await read([cpu, answer(points)], [memory, answer([])]));
    expect(rows.map(({ service, cpuPercent }) => [service, cpuPercent])).toEqual([['GPE', 7]]);
  });

  it('skip entries of another form', async () => {
    const odd = [
      null,
      {},
      point('', 1),
      point('GPE#1', { Used: 1 }),
      point('GPE#1', 1, { when: -1 }),
      point('GPE#1', 'x'),
    ];
    const rows = factsOf(await read([cpu, answer([...odd, point('GSE#1', 1)])], [memory, answer([])]));
    expect(rows.map(({ service }) => service)).toEqual(['GSE']);
  });

  it.each([
    [401, 'auth'],
    [404, 'unsupported'],
  ] as const)('are a failure for the status %i: %s', async (status, reason) => {
    expect(failureOf(await read([cpu, answer([], status)])).reason).toBe(reason);
  });

  it('fail with the reason body for an answer that is not an array', async () => {
    for (const body of [{ a: 1 }, 'text', 7]) expect(failureOf(await read([cpu, answer(body)])).reason).toBe('body');
  });
});
