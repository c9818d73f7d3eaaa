import { expect, it } from 'vitest';
import { checkSchema, clusterSchema, collectorSchema, nodeSchema } from '../../src/api/clusters.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('cluster', clusterSchema, [{ labels: { env: 1 } }, { nodes: [{}] }, { nodes: 'many' }]);

describeObject('collector', collectorSchema, [
  { state: 'good' },
  { scope: 'all' },
  { reason: 'bad luck' },
  { failures: { timeout: -1 } },
  { lastPoll: 'now' },
  { series: 1.5 },
]);

describeObject('check', checkSchema, [{ passed: 1 }, { lastRun: '' }]);

it('cluster schema › accepts a node in each state', () => {
  const { nodes } = clusterSchema.parse(exampleOf(clusterSchema));
  for (const state of ['up', 'down', 'unknown'])
    expect(nodeSchema.parse({ ...nodes[0], state })).toMatchObject({ state });
  expect(nodeSchema.safeParse({ ...nodes[0], state: 'gone' }).success).toBe(false);
});

it('cluster schema › accepts a collector that was never polled', () => {
  const unknown = { state: 'unknown', since: null, lastPoll: null, lastSuccess: null, durationSeconds: null };
  expect(collectorSchema.parse({ ...exampleOf(collectorSchema), ...unknown })).toMatchObject(unknown);
});
