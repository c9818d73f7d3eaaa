import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { isOwnFamily, ownSeriesBudget } from '../../src/metric/metric.ts';
import { send } from '../support/http.ts';
import { startEnvironment } from './guard-environment.ts';

/** Every collector that is enabled by default, at its default interval. */
const enabled = Object.fromEntries(
  collectors
    .filter(({ defaults }) => defaults.enabled)
    .map(({ name, defaults: { interval, timeout } }) => {
      return [name, { enabled: true, interval: `${interval}ms`, timeout: `${timeout}ms` }];
    }),
);

/** On a busy machine, requests fail, which adds these series. */
const isOfFailedCall = /^graphwarden_call_duration_seconds.*outcome="failed"/;

/** Counts the series of the page of a cluster with 30 service instances on each node. */
async function countSeries(nodes: number): Promise<{ readonly all: number; readonly own: number }> {
  const environment = await startEnvironment({
    simulated: { nodes, instancesPerNode: 30 },
    collectors: enabled,
    guard: {},
  });
  try {
    await environment.run(10_000);
    const { text } = await send(`${environment.daemon().url}/metrics`);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const calm = lines.filter((line) => !isOfFailedCall.test(line));
    return { all: calm.length, own: calm.filter(isOwnFamily).length };
  } finally {
    await environment.stop();
  }
}

describe('the share of self-monitoring series on the page', () => {
  it('is within the budget for one node, and for 100 nodes as the page grows from 1 to 3', {
    timeout: 120_000,
  }, async () => {
    const [one, three] = [await countSeries(1), await countSeries(3)];
    const atHundred = (of: 'all' | 'own'): number => one[of] + ((three[of] - one[of]) / 2) * 99;
    const hundred = { all: atHundred('all'), own: atHundred('own') };
    process.stdout.write(`own series: ${JSON.stringify({ one, three, hundred })}\n`);
    for (const { all, own } of [one, three, hundred]) expect(own / all).toBeLessThanOrEqual(ownSeriesBudget);
    // Each node has so many collectors of its own.
    expect(three.own).toBeGreaterThan(one.own);
  });
});
