import { expect, it } from 'vitest';
import { assembleApp } from '../../src/app/assemble.ts';
import type { AppDependencies } from '../../src/app/ports/app-dependencies.ts';
import { queries } from '../../src/collect/queries.ts';
import { ok } from '../../src/kernel/result.ts';
import { ruleOf, settingsOf as settingsOfRule } from '../alert/alerting-testbed.ts';
import { completedCall } from '../support/completed-call.ts';
import { RecordedSpans } from '../support/recorded-spans.ts';
import { clusterOf, configOf, sendRequest, settingsOf, testbed } from './fakes.ts';

const running = { requestId: 'a', graph: 'fraud', query: 'ring_scan', kind: 'installed', elapsed: 20_000 };
const collectors = { queries: settingsOf(queries) };
const both = configOf([clusterOf('prod', ['m1']), clusterOf('test', ['m1'])], { collectors });
const one = configOf([clusterOf('prod', ['m1'])], { collectors });

/** A traced application over two clusters, each of which lists a query and has had a call. */
async function started() {
  const recordedSpans = new RecordedSpans();
  const bed = testbed({ spanExports: recordedSpans });
  const openCluster: AppDependencies['openCluster'] = (settings, options) => {
    options.onCall?.(completedCall);
    return bed.parts.openCluster(settings, options);
  };
  const poll = async () => ok({ graphs: ['fraud'], queries: [running] });
  const app = assembleApp(both, bed.ports, { ...bed.parts, openCluster, collectors: [{ ...queries, poll }] });
  await app.start();
  await bed.clock.advance(7000);
  const series = async (cluster: string): Promise<readonly string[]> => {
    const { body } = await sendRequest(app.handler, '/metrics');
    const histograms = /^(?:graphdb_long_query|graphwarden_call)_duration_seconds_count\{/;
    return body.split('\n').filter((line) => histograms.test(line) && line.includes(`cluster_name="${cluster}"`));
  };
  return { app, recordedSpans: recordedSpans, clock: bed.clock, series };
}

it('a cluster that is removed from the configuration loses its queries and its state', async () => {
  const { app, recordedSpans, clock, series } = await started();
  const before = await series('prod');
  expect(before).toHaveLength(2);
  expect(recordedSpans.spans).toEqual([]);
  await app.reconfigure(one);
  expect(recordedSpans.spans).toMatchObject([
    { attributes: { 'graphwarden.cluster': 'test', 'graphwarden.query.outcome': 'lost' } },
  ]);
  expect([await series('test'), await series('prod')]).toEqual([[], before]);
  await app.reconfigure(both);
  await clock.advance(7000);
  const again = await series('test');
  expect(again.filter((line) => line.startsWith('graphwarden_call') && line.endsWith(' 1'))).toHaveLength(1);
  expect(recordedSpans.spans).toHaveLength(1);
  await app.stop();
});

it('a cluster that is added again resets the due times of its collectors', async () => {
  const due = new Map<string, number | undefined>();
  const look = ruleOf('look', {
    evaluate: ({ cluster, collectors: [first] }) => {
      due.set(cluster, first?.dueSince);
      return [];
    },
  });
  const alerts = { receivers: [], routes: [], rules: { look: settingsOfRule(look) }, maintenance: [], templates: {} };
  const { ports, parts, clock } = testbed();
  const app = assembleApp({ ...both, alerts }, ports, { ...parts, rules: [look] });
  await app.start();
  await clock.advance(7000);
  const before = new Map(due);
  await app.reconfigure({ ...one, alerts });
  await clock.advance(7000);
  await app.reconfigure({ ...both, alerts });
  await clock.advance(7000);
  expect(due.get('prod')).toBe(before.get('prod'));
  expect(due.get('test')).toBeGreaterThanOrEqual((before.get('test') ?? Number.NaN) + 14_000);
  await app.stop();
});
