import { z } from 'zod';
import { failureReasons } from '../kernel/failure.ts';
import { seriesDropReasons } from '../model/series-drop.ts';
import { countField, countsField, labelsField, nameField, secondsField, textField, timestampField } from './fields.ts';

/** Maximum number of families that a cluster lists for each reason of dropped series. */
export const maxFamilies = 20;

const reasonField = z.enum(['', ...failureReasons]);

/** Node of a cluster. */
export const nodeSchema = z
  .object({
    name: nameField.describe('Name of the node.'),
    address: textField.describe('Base URL of the node.'),
    state: z
      .enum(['up', 'down', 'unknown'])
      .describe(
        'Result of the latest health poll; `unknown` before the first poll, and if this process does not poll the health of the node.',
      ),
    since: timestampField.nullable().describe('When the state changed to its present value.'),
    sinceFirstPoll: z
      .boolean()
      .describe('Whether the state is unchanged since the first poll, so that it may have begun earlier than `since`.'),
    reachable: z
      .boolean()
      .nullable()
      .describe(
        'Whether the node responded to the latest liveness request at all; a node that is down may be reachable and refuse requests. Null before the first request.',
      ),
    reason: reasonField.describe('Reason of the failure; empty if the node is up.'),
    message: textField.describe('Error message; empty if the node is up.'),
    advice: textField.describe('What to check or change; empty if the node is up.'),
    sockets: countField.describe('Open connections to the node.'),
  })
  .meta({ id: 'Node', description: 'Node of a cluster.' });

/** Node, as the API returns it. */
export type NodeReport = z.infer<typeof nodeSchema>;

/** Series that are not on the metrics page for one reason. */
const droppedFamiliesSchema = z
  .object({
    reason: z.enum(seriesDropReasons).describe('Reason; `series_per_…` are keys of `limits`.'),
    series: countField.describe('Number of series.'),
    families: z
      .array(nameField)
      .max(maxFamilies)
      .readonly()
      .describe(`Metric families of these series, at most ${maxFamilies}, the one with the most series first.`),
  })
  .meta({
    id: 'DroppedSeries',
    description: 'Series of a cluster that are not on the metrics page for one reason.',
    examples: [{ reason: 'series_per_family', series: 1200, families: ['graphdb_endpoint_latency_seconds'] }],
  });

/** Cluster and its nodes. */
export const clusterSchema = z
  .object({
    name: nameField.describe('Name of the cluster.'),
    labels: labelsField.describe('Labels of the cluster, from the configuration.'),
    nodes: z.array(nodeSchema).max(10_000).readonly().describe('Nodes, in the order of the configuration.'),
    seriesDropped: z
      .array(droppedFamiliesSchema)
      .max(seriesDropReasons.length)
      .readonly()
      .describe('Series of the cluster that are not on the metrics page.'),
    owner: nameField
      .exactOptional()
      .describe('Name of the replica that owns the cluster; absent if no other replica shares the database.'),
  })
  .meta({
    id: 'Cluster',
    description: 'Monitored cluster.',
    examples: [
      {
        name: 'prod',
        labels: { env: 'prod' },
        nodes: [
          {
            name: 'm1',
            address: 'https://m1.example.org:14240',
            state: 'down',
            since: '2026-01-31T12:00:00.000Z',
            sinceFirstPoll: false,
            reachable: false,
            reason: 'timeout',
            message: 'no response within 3s',
            advice: 'The node responds too slowly: check its load.',
            sockets: 1,
          },
        ],
        seriesDropped: [{ reason: 'series_per_family', series: 1200, families: ['graphdb_endpoint_latency_seconds'] }],
      },
    ],
  });

/** Cluster, as the API returns it. */
export type ClusterReport = z.infer<typeof clusterSchema>;

/** Collector on one node or for one cluster. */
export const collectorSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    node: nameField.describe('Node; empty for a collector of the whole cluster.'),
    collector: nameField.describe('Name of the collector.'),
    scope: z.enum(['node', 'cluster']).describe('Whether the collector polls each node or the cluster.'),
    state: z
      .enum(['healthy', 'failing', 'unknown'])
      .describe('Result of the latest poll; `unknown` before the first one.'),
    source: nameField.describe('Node that responded to the latest poll.'),
    reason: reasonField.describe('Reason of the failure; empty if the collector does not fail.'),
    message: textField.describe('Error message; empty if the collector does not fail.'),
    advice: textField.describe('What to check or change; empty if the collector does not fail.'),
    since: timestampField.nullable().describe('When the state changed to its present value.'),
    lastPoll: timestampField.nullable().describe('When the latest poll ended.'),
    lastSuccess: timestampField.nullable().describe('When the latest successful poll ended.'),
    durationSeconds: secondsField.nullable().describe('Duration of the latest poll.'),
    intervalSeconds: secondsField
      .nullable()
      .describe('Effective interval: longer than configured if process lists are slow or the collector fails.'),
    nextPoll: timestampField.nullable().describe('When the next poll is due; null during a poll.'),
    series: countField.describe('Series on the metrics page.'),
    seriesDropped: countsField.describe('Series of the latest poll that are not on the metrics page, by reason.'),
    failures: countsField.describe('Failed polls since the start, by reason.'),
    skipped: countsField.describe('Skipped polls since the start, by reason.'),
    sourceSwitches: countField.describe('Changes of the source node since the start.'),
  })
  .meta({
    id: 'Collector',
    description: 'State of a collector on one node or for one cluster.',
    examples: [
      {
        cluster: 'prod',
        node: 'm1',
        collector: 'queries',
        scope: 'node',
        state: 'healthy',
        source: 'm1',
        reason: '',
        message: '',
        advice: '',
        since: '2026-01-31T11:00:00.000Z',
        lastPoll: '2026-01-31T12:00:00.000Z',
        lastSuccess: '2026-01-31T12:00:00.000Z',
        durationSeconds: 0.012,
        intervalSeconds: 5,
        nextPoll: '2026-01-31T12:00:05.000Z',
        series: 14,
        seriesDropped: { series_per_family: 3 },
        failures: { timeout: 2 },
        skipped: {},
        sourceSwitches: 0,
      },
    ],
  });

/** Collector, as the API returns it. */
export type CollectorReport = z.infer<typeof collectorSchema>;

/** Result of a consistency check. */
export const checkSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    check: nameField.describe('Name of the check.'),
    graph: nameField.describe('Graph; empty if the result is about all graphs.'),
    partition: nameField.describe('Partition; empty if the result is about all partitions.'),
    engine: nameField.describe('Engine; empty if the result is about all engines.'),
    passed: z.boolean().describe('Whether the check passed.'),
    unsyncedEntries: z.number().nullable().describe('Entries that differ between replicas.'),
    lastRun: timestampField.nullable().describe('When the check ran.'),
  })
  .meta({
    id: 'Check',
    description: 'Latest result of a consistency check.',
    examples: [
      {
        cluster: 'prod',
        check: 'data_consistency',
        graph: 'fraud',
        partition: '1',
        engine: '',
        passed: true,
        unsyncedEntries: 0,
        lastRun: '2026-01-25T03:04:00.000Z',
      },
    ],
  });

/** Check result, as the API returns it. */
export type CheckReport = z.infer<typeof checkSchema>;

/** Run of a consistency check. */
export const checkRunSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    check: nameField.describe('Name of the check; the name of the collector if the run had no result.'),
    endedAt: timestampField.describe('When the run ended.'),
    durationSeconds: secondsField.nullable().describe('Duration of the run; null if it is unknown.'),
    verdict: z
      .enum(['passed', 'failed', 'no result'])
      .describe('Result in all graphs, partitions and engines; `no result` if the run could not be completed.'),
    unsyncedEntries: z.number().nullable().describe('Entries that differ between replicas.'),
    message: textField.describe('Why there is no result; otherwise empty.'),
  })
  .meta({
    id: 'CheckRun',
    description: 'Run of a consistency check since graphwarden started.',
    examples: [
      {
        cluster: 'prod',
        check: 'data_consistency',
        endedAt: '2026-01-25T03:04:00.000Z',
        durationSeconds: 240,
        verdict: 'passed',
        unsyncedEntries: 0,
        message: '',
      },
    ],
  });

/** Check run, as the API returns it. */
export type CheckRunReport = z.infer<typeof checkRunSchema>;

/** Request to run the consistency checks of a cluster. */
export const runChecksSchema = z
  .strictObject({ cluster: nameField.min(1).describe('Cluster.') })
  .meta({ id: 'RunChecksRequest', description: 'Cluster whose checks are run now.', examples: [{ cluster: 'prod' }] });
