import { describe, expect, it } from 'vitest';
import { createFeed } from '../../src/app/poll/collector-feed.ts';
import { Pipeline } from '../../src/app/poll/pipeline.ts';
import { collectors } from '../../src/collect/all.ts';
import type { Collector } from '../../src/collect/collector.ts';
import { LatestResults } from '../../src/collect/latest-results.ts';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { clusterOf, configOf, settingsOf } from '../app/fakes.ts';
import { neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer } from '../support/fake-pool.ts';
import { recordingLogger } from '../support/logger.ts';
import { busyCluster, withText } from './facts.ts';
import { fakeNode } from './fake-node.ts';

type Reply = ReturnType<typeof answer>;

const error = { error: true, message: 'no', code: 'REST-1000' };

/** Servers that answer every request in the same way, and the reasons that a collector may report for it. */
const servers: readonly (readonly [about: string, reply: Reply, reasons: readonly string[]])[] = [
  ['without the endpoint', answer(error, 404), ['unsupported']],
  ['without a token', answer({ error: true, message: 'no' }, 401), ['auth']],
  ['without the privilege', answer({ error: true, message: 'no', code: 'REST-10018' }, 403), ['auth']],
  ['with another form of the answer', answer({ error: false, message: '', results: 'odd' }), ['body', 'unsupported']],
  ['with a page instead of an answer', answer('<html><b>"hello"</b></html>'), ['body', 'unsupported']],
];

const settings = clusterOf('prod', ['m1'], {
  graphs: ['fraud', 'risk'],
  serverVersion: '4.1',
  statements: { s: 'r.1' },
});

/** A pipeline for one collector, into which polls of any database are put. */
async function pipelineOf(collector: Collector) {
  const [clock, log] = [new FakeClock(), recordingLogger()];
  const page = createMetricsPage(configOf([]).limits, clock);
  const pipeline = new Pipeline(new LatestResults(), page, log);
  const planned = { collector, settings: settingsOf(collector) };
  const node = collector.scope === 'node' ? 'm1' : '';
  await pipeline.setFeeds('prod', [createFeed(settings, planned, node, [planned])]);
  const poll = async (db: Parameters<Collector['poll']>[0]) => {
    const [started, result] = [clock.now(), await collector.poll(db, neverAborted())];
    const { interval } = collector.defaults;
    const timing = { interval, lifetime: 3 * interval };
    await pipeline.accept(
      { cluster: 'prod', collector: collector.name, node },
      { result, source: 'm1', started, ended: clock.now() },
      timing,
    );
    return result;
  };
  const lines = () => log.lines.filter(({ level }) => level !== 'debug');
  return { lines, page, poll };
}

/** The client of a server that gives every request the same answer. */
function clientOf(reply: Reply) {
  const openPool = () => ({ request: async () => reply, sockets: () => 0, close: async () => undefined });
  const ports = { openPool, clock: new FakeClock(), random: { next: () => 0.5 }, files: new FakeFiles(), digest };
  return openCluster(settings, { bodyLimit: 1_000_000 }, ports).node({ name: 'm1', url: 'http://m1' }).db;
}

describe.each(collectors.map((collector) => [collector.name, collector] as const))('%s', (_, collector) => {
  it.each(servers)('on a server %s fails with a reason, logs that once, and recovers', async (__, reply, reasons) => {
    const { lines, poll } = await pipelineOf(collector);
    const db = clientOf(reply);
    const first = await poll(db);
    const second = await poll(db);
    // A reply of another form may be an empty list.
    if (first.ok) {
      expect(reasons).toContain('body');
      expect([second.ok, lines()]).toEqual([true, []]);
      return;
    }
    expect(reasons).toContain(first.error.reason);
    expect(lines().map(({ message, fields }) => [message, fields?.collector, fields?.reason])).toEqual([
      ['collector failed', collector.name, first.error.reason],
    ]);
    await poll(fakeNode({ facts: busyCluster }));
    expect(lines().map(({ message }) => message)).toEqual(['collector failed', 'collector recovered']);
  });

  it('shows names with quotes, line breaks and markup as label values that cannot leave their quotes', async () => {
    const { lines: logged, page, poll } = await pipelineOf(collector);
    await poll(fakeNode({ facts: withText('a"b\\c\n<script>"} 1') }));
    const { pieces, release } = await page.body('text', 'identity', '');
    const lines = Buffer.concat([...pieces])
      .toString()
      .split('\n');
    release();
    for (const line of lines) expect(line).toMatch(/^(?:#.*|[a-z_]+(?:\{(?:\w+="(?:[^"\\]|\\["\\n])*",?)+\})? \S+|)$/);
    expect(logged().filter(({ level }) => level === 'error')).toEqual([]);
  });
});
