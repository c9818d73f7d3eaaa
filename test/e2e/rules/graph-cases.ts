import type { RuleCase, SeriesSet } from './rule-case.ts';
import { here } from './service-cases.ts';

const vertices = 'graphdb_graph_vertices{cluster_name="prod",graph="fraud"}';

const shrunk: RuleCase = {
  alert: 'GraphdbGraphShrunk',
  labels: { severity: 'critical', cluster_name: 'prod', graph: 'fraud', ...here },
  healthy: { [vertices]: 2_000_000 },
  bad: { [vertices]: 990_000 },
  nearMiss: { [vertices]: 1_010_000 },
  before: 10,
  firesWithin: 1,
  resolvesWithin: 2,
};

const onGraph = { severity: 'warning', cluster_name: 'prod', graph: 'fraud', ...here };
const applied = 'graphdb_schema_version{cluster_name="prod",graph="fraud"';

const versionsDiffer: RuleCase = {
  alert: 'GraphdbSchemaVersionsDiffer',
  labels: onGraph,
  healthy: { [`${applied},node="m1"}`]: 3, [`${applied},node="m2"}`]: 3 },
  bad: { [`${applied},node="m1"}`]: 3, [`${applied},node="m2"}`]: 4 },
  nearMiss: { [`${applied},node="m1"}`]: 4, [`${applied},node="m2"}`]: 4 },
  tooShort: 1.75,
  firesWithin: 3,
  resolvesWithin: 3,
};

const rebuildOf = (name: string): string => `graphdb_rebuild_${name}{cluster_name="prod",graph="fraud"}`;
const cleanup = 'graphdb_token_cleanup_success{cluster_name="prod"}';
const soon = { firesWithin: 1, resolvesWithin: 2 } as const;

const taskStories: readonly RuleCase[] = [
  {
    ...soon,
    alert: 'GraphdbRebuildFailed',
    labels: onGraph,
    healthy: { [rebuildOf('success')]: 1 },
    bad: { [rebuildOf('success')]: 0 },
    nearMiss: { [rebuildOf('success')]: 1, [rebuildOf('duration_seconds')]: 1 },
  },
  {
    ...soon,
    alert: 'GraphdbRebuildSlow',
    labels: onGraph,
    healthy: { [rebuildOf('duration_seconds')]: 60 },
    bad: { [rebuildOf('duration_seconds')]: 3601 },
    nearMiss: { [rebuildOf('duration_seconds')]: 3600 },
  },
  {
    ...soon,
    alert: 'GraphdbTokenCleanupFailed',
    labels: { severity: 'warning', cluster_name: 'prod', ...here },
    healthy: { [cleanup]: 1 },
    bad: { [cleanup]: 0 },
    nearMiss: { [cleanup]: 1 },
  },
];

const defined = 'graphdb_query_definitions{cluster_name="prod",graph="fraud"';

const queryStories: readonly RuleCase[] = [
  {
    alert: 'GraphdbQueryUnusable',
    labels: { ...onGraph, state: 'invalid' },
    healthy: { [`${defined},state="invalid"}`]: 0, [`${defined},state="installed"}`]: 9 },
    bad: { [`${defined},state="invalid"}`]: 2, [`${defined},state="installed"}`]: 7 },
    nearMiss: { [`${defined},state="invalid"}`]: 0, [`${defined},state="draft"}`]: 2 },
    tooShort: 0.5,
    firesWithin: 3,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbQueryInstallationHanging',
    labels: onGraph,
    healthy: { [`${defined},state="installing"}`]: 0 },
    bad: { [`${defined},state="installing"}`]: 1 },
    nearMiss: { [`${defined},state="installing"}`]: 0 },
    tooShort: 29,
    firesWithin: 33,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbQueryDisappeared',
    labels: onGraph,
    healthy: { 'graphdb_graph_queries{cluster_name="prod",graph="fraud"}': 9 },
    bad: { 'graphdb_graph_queries{cluster_name="prod",graph="fraud"}': 8 },
    nearMiss: { 'graphdb_graph_queries{cluster_name="prod",graph="fraud"}': 10 },
    before: 10,
    firesWithin: 1,
    resolvesWithin: 2,
  },
];

const loading = 'cluster_name="prod",graph="fraud",loading_job="load_accounts"';
const onJob = { ...onGraph, loading_job: 'load_accounts' };

function linesRead(valid: number, tooFew: number, filtered = 0): SeriesSet {
  const results = { valid, filtered, rejected: 0, too_few_tokens: tooFew };
  return Object.fromEntries(
    Object.entries(results).map(([result, count]) => [
      `graphdb_loading_job_lines{${loading},result="${result}"}`,
      count,
    ]),
  );
}

const loadingStories: readonly RuleCase[] = [
  {
    alert: 'GraphdbLoadingJobFailed',
    labels: onJob,
    healthy: { [`graphdb_loading_jobs_failed{${loading}}`]: 0 },
    bad: { [`graphdb_loading_jobs_failed{${loading}}`]: 1 },
    nearMiss: { [`graphdb_loading_jobs_failed{${loading}}`]: 0 },
    firesWithin: 1,
    resolvesWithin: 2,
  },
  {
    alert: 'GraphdbLoadingStalled',
    labels: onJob,
    healthy: { [`graphdb_loading_job_lines_per_second{${loading}}`]: 2000 },
    bad: { [`graphdb_loading_job_lines_per_second{${loading}}`]: 0 },
    nearMiss: { [`graphdb_loading_job_lines_per_second{${loading}}`]: 0.1 },
    tooShort: 4.5,
    firesWithin: 7,
    resolvesWithin: 3,
  },
  {
    alert: 'GraphdbLoadingRejectsLines',
    labels: onJob,
    healthy: linesRead(1000, 0),
    bad: linesRead(949, 51),
    nearMiss: linesRead(951, 49),
    // Few lines, and lines that the job filters.
    unrelated: [linesRead(1, 98), linesRead(0, 0, 1000)],
    tooShort: 0.5,
    firesWithin: 3,
    resolvesWithin: 3,
  },
];

const rebuilt = 'graphdb_vector_index_rebuilding_engines{cluster_name="prod",graph="fraud"}';

const vectorIndex: RuleCase = {
  alert: 'GraphdbVectorIndexesNotReady',
  labels: onGraph,
  healthy: { [rebuilt]: 0 },
  bad: { [rebuilt]: 1 },
  nearMiss: { [rebuilt]: 0 },
  tooShort: 4.5,
  firesWithin: 7,
  resolvesWithin: 3,
};

const code = 'graphdb_function_code_digest{cluster_name="prod",code="ExprFunctions"}';

const functions: RuleCase = {
  alert: 'GraphdbFunctionChanged',
  labels: { severity: 'warning', cluster_name: 'prod', code: 'ExprFunctions', ...here },
  healthy: { [code]: 123_456_789 },
  bad: { [code]: 987_654_321 },
  nearMiss: { [code]: 123_456_789 },
  before: 10,
  firesWithin: 1,
  resolvesWithin: 62,
};

const ofType = '{cluster_name="prod",graph="fraud",type="Account"}';

function counted(real: number, stored: number, of: 'vertices' | 'edges' = 'vertices'): SeriesSet {
  return { [`graphdb_graph_type_${of}${ofType}`]: real, [`graphdb_optimizer_type_${of}${ofType}`]: stored };
}

const drifted = {
  alert: 'GraphdbOptimizerStatisticsDrifted',
  labels: { ...onGraph, severity: 'info', type: 'Account' },
  tooShort: 9,
  firesWithin: 13,
  resolvesWithin: 3,
};

const driftStories: readonly RuleCase[] = [
  {
    ...drifted,
    healthy: counted(1_000_000, 1_000_000),
    bad: counted(2_010_000, 1_000_000),
    nearMiss: counted(1_990_000, 1_000_000),
    // Too few vertices to matter.
    unrelated: [counted(9990, 1_000_000)],
  },
  {
    ...drifted,
    healthy: counted(1_000_000, 1_000_000, 'edges'),
    bad: counted(490_000, 1_000_000, 'edges'),
    nearMiss: counted(510_000, 1_000_000, 'edges'),
  },
];

/** What can be wrong with graphs and what belongs to them. */
export const graphCases: readonly RuleCase[] = [
  shrunk,
  versionsDiffer,
  ...taskStories,
  ...queryStories,
  ...loadingStories,
  vectorIndex,
  functions,
  ...driftStories,
];
