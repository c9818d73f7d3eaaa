import { type PlannedCollector, planCollectors, planConfigured } from '../app/poll/collector-plan.ts';
import { lookUp } from '../app/poll/discovery.ts';
import { collectors } from '../collect/all.ts';
import type { CollectorCall, ScheduledTaskCall, VersionCall } from '../collect/collector.ts';
import type { Config } from '../config/config.ts';
import { openCluster } from '../graphdb/connect.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import { withDeadline } from '../kernel/deadline.ts';
import { ok, type Result } from '../kernel/result.ts';
import { informantCategories } from '../model/node.ts';
import { type DroppedFamilies, nameFamilies } from '../model/series-drop.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { type CallResult, findingOf, type NodeAccess } from './doctor-finding.ts';
import { type DoctorFinding, isFailing } from './doctor-table.ts';
import type { CliPorts, RuntimePorts } from './ports.ts';
import { SeriesForecast } from './series-forecast.ts';

/** Sends each request of the enabled collectors to each node, to the nodes of a cluster in parallel. */
export async function runDoctorChecks(
  config: Config,
  ports: CliPorts,
  runtime: RuntimePorts,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const planned = planCollectors(collectors, config);
  const forecast = new SeriesForecast(config.limits, planned, ports.clock);
  for (const settings of config.clusters) {
    findings.push(...(await checkCluster(settings, { config, ports, runtime, planned, forecast })));
    findings.push(...forecast.overLimit(settings.name).map((drop) => dropFinding(settings.name, drop)));
  }
  if (ports.stderr.isTerminal) ports.stderr.write(`\r${' '.repeat(progressWidth)}\r`);
  return findings;
}

function dropFinding(cluster: string, drop: DroppedFamilies): DoctorFinding {
  const advice = `limits.${drop.reason} drops ${drop.series} series, at least: ${nameFamilies(drop)}`;
  const origin = { cluster, node: '*', collector: '*', call: 'series', latency: 0 };
  return { ...origin, reason: 'series_dropped', advice, fix: `raise limits.${drop.reason}`, tolerated: false };
}

const progressWidth = 78;

interface CheckContext {
  readonly config: Config;
  readonly ports: CliPorts;
  readonly runtime: RuntimePorts;
  readonly planned: readonly PlannedCollector[];
  readonly forecast: SeriesForecast;
}

async function checkCluster(settings: ClusterSettings, context: CheckContext): Promise<readonly DoctorFinding[]> {
  const nodes = await resolveNodes(settings, context.runtime);
  if (!nodes.ok) {
    const found = { cluster: settings.name, node: '*', collector: 'discovery', call: 'discover', latency: 0 } as const;
    const fix = 'Check `srv` or `dns` in discover of the cluster, and the DNS server of this host.';
    return [{ ...found, reason: 'unreachable', advice: nodes.error, fix, tolerated: false }];
  }
  const planned = [...context.planned, ...planConfigured(context.config, settings.name)];
  // Collectors with a schedule are expensive and run on the first node only.
  const light = planned.filter((one) => one.settings.schedule === undefined);
  const byNode = await Promise.all(
    nodes.value.map((node, index) => {
      const polled = (index === 0 ? planned : light).filter((one) => isPolledOn(one, node.name, index === 0));
      return checkNode({ settings, node }, polled, context);
    }),
  );
  return byNode.flat();
}

/** Returns the nodes of a cluster; discovers them if they are not configured. */
export async function resolveNodes(
  { nodes, discover }: ClusterSettings,
  { dns }: RuntimePorts,
): Promise<Result<readonly NodeSettings[], string>> {
  return discover === undefined ? ok(nodes) : lookUp(discover, dns);
}

/** Checks one node over its own connection, because the client caches responses. */
async function checkNode(
  { settings, node }: { readonly settings: ClusterSettings; readonly node: NodeSettings },
  planned: readonly PlannedCollector[],
  context: CheckContext,
): Promise<readonly DoctorFinding[]> {
  const { config, ports, runtime } = context;
  const connection = openCluster(settings, { bodyLimit: config.limits.body }, { ...ports, ...runtime });
  const { db } = connection.node(node);
  const findings: DoctorFinding[] = [];
  for (const one of planned) {
    const isRejected = findings.some(({ call, reason }) => call === 'echo' && reason === 'auth');
    const own = await checkCollector({ db, ports, access: { kind: settings.readAuth.kind, isRejected } }, one);
    if (one.collector.isCustom !== true && !own.some(isFailing))
      await forecastSeries({ settings, db, planned: one }, context);
    findings.push(...own);
  }
  await connection.close();
  return findings;
}

/** Polls a collector for the series forecast, because the checks do not keep responses. */
async function forecastSeries(
  {
    settings,
    db,
    planned,
  }: { readonly settings: ClusterSettings; readonly db: GraphDb; readonly planned: PlannedCollector },
  { forecast, ports: { clock } }: CheckContext,
): Promise<void> {
  if (!forecast.needs(settings, planned)) return;
  const { collector, settings: polling } = planned;
  const started = clock.now();
  const result = await withDeadline(clock, polling.timeout, (signal) => collector.poll(db, signal));
  await forecast.add(settings, planned, db.node, { result, source: db.node, started, ended: clock.now() });
}

/** Node whose requests are checked. */
interface CheckedNode {
  readonly db: GraphDb;
  readonly ports: CliPorts;
  readonly access: NodeAccess;
}

async function checkCollector(checked: CheckedNode, planned: PlannedCollector): Promise<readonly DoctorFinding[]> {
  const { db, ports } = checked;
  const { collector, settings } = planned;
  if (collector.isCustom === true) return [await checkCustomQuery(checked, planned)];
  const findings: DoctorFinding[] = [];
  for (const call of collector.calls.flatMap(requestsOf)) {
    printProgress(`${db.cluster}/${db.node}: ${collector.name} ${call}`, ports);
    findings.push(await checkCall(checked, call, planned));
  }
  if (settings.schedule !== undefined || findings.every(({ reason }) => reason === 'works')) return findings;
  const pollResult = await withDeadline(ports.clock, settings.timeout, (signal) => collector.poll(db, signal));
  return findings.map((finding) => ({ ...finding, tolerated: pollResult.ok && finding.reason !== 'works' }));
}

/** Whether a collector is checked on a node: custom queries and probes only on the nodes of their definition, or on the first. */
function isPolledOn({ collector }: PlannedCollector, node: string, isFirst: boolean): boolean {
  if (collector.isCustom !== true) return true;
  return collector.scope === 'cluster' ? isFirst : (collector.nodes?.includes(node) ?? true);
}

/** Runs a custom query or a probe, because only its result shows whether its definition is correct. */
async function checkCustomQuery(
  { db, ports, access }: CheckedNode,
  { collector, settings }: PlannedCollector,
): Promise<DoctorFinding> {
  printProgress(`${db.cluster}/${db.node}: ${collector.name}`, ports);
  const begun = ports.clock.now().mono;
  const outcome = await withDeadline(ports.clock, settings.timeout, (signal) => collector.poll(db, signal));
  const { probe } = collector;
  if (probe === undefined) {
    const { reason, ...query } = findingOf({ db, collector, call: 'query', begun, access }, outcome, ports.clock);
    return { ...query, reason: reason === 'unsupported' ? 'not_found' : reason };
  }
  const finding = findingOf({ db, collector, call: probe.kind, begun, access }, ok(undefined), ports.clock);
  const failed = outcome.ok ? collector.probeRun?.(outcome.value).failure : outcome.error;
  if (failed === undefined) return finding;
  const { reason, message: advice } = failed;
  const fix = probe.adviceOn(reason);
  // The server has the request, but not what the probe names.
  return { ...finding, reason: reason === 'unsupported' ? 'not_found' : reason, advice, fix };
}

async function checkCall(
  { db, ports, access }: CheckedNode,
  call: DoctorRequest,
  { collector, settings }: PlannedCollector,
): Promise<DoctorFinding> {
  const begun = ports.clock.now().mono;
  const outcome = await withDeadline(ports.clock, settings.timeout, (signal) => doctorCalls[call](db, signal));
  return findingOf({ db, collector, call, begun, access }, outcome, ports.clock);
}

function printProgress(text: string, { stderr }: CliPorts): void {
  if (stderr.isTerminal) stderr.write(`\r${text.slice(0, progressWidth).padEnd(progressWidth)}`);
}

type DoctorCall = (db: GraphDb, signal: AbortSignal) => Promise<CallResult>;

type DoctorRequest = Exclude<CollectorCall, 'versions' | ScheduledTaskCall> | VersionCall;

/** Returns the requests of a call; none for a call that changes the server. */
export function requestsOf(call: CollectorCall): readonly DoctorRequest[] {
  if (call === 'rebuildGraph' || call === 'removeExpiredTokens') return [];
  return call === 'versions' ? ['restppVersion', 'gsqlVersion'] : [call];
}

/** Requests by name. A request for one graph is sent for each graph. */
export const doctorCalls: Readonly<Record<DoctorRequest, DoctorCall>> = {
  graphs: (db, signal) => db.graphs(signal),
  ping: (db, signal) => db.ping(signal),
  echo: (db, signal) => db.echo(signal),
  restppVersion: (db, signal) => db.restppVersion(signal),
  gsqlVersion: (db, signal) => db.gsqlVersion(signal),
  informantMetrics: (db, signal) => db.informantMetrics(signal),
  category: (db, signal) => forEachItem(informantCategories, (category) => db.category(category, signal)),
  dataPoints: (db, signal) => db.dataPoints(signal),
  serviceStatus: (db, signal) => db.serviceStatus(signal),
  statistics: (db, signal) => forEachGraph(db, (graph) => db.statistics(graph, signal), signal),
  processListAll: (db, signal) => db.processListAll(signal),
  processList: (db, signal) => forEachGraph(db, (graph) => db.processList(graph, signal), signal),
  delayedList: (db, signal) => db.delayedList(signal),
  detachedQueries: (db, signal) => forEachGraph(db, (graph) => db.detachedQueries(graph, signal), signal),
  queueStatus: (db, signal) => db.queueStatus(signal),
  license: (db, signal) => db.license(signal),
  dataConsistency: (db, signal) => db.dataConsistency(signal),
  endpoints: (db, signal) => db.endpoints(signal),
  graphSchema: (db, signal) => forEachGraph(db, (graph) => db.graphSchema(graph, signal), signal),
  globalSchemaJobs: (db, signal) => db.globalSchemaJobs(signal),
  schemaVersion: (db, signal) => forEachGraph(db, (graph) => db.schemaVersion(graph, signal), signal),
  graphSize: (db, signal) => forEachGraph(db, (graph) => db.graphSize(graph, signal), signal),
  queryDefinitions: (db, signal) => forEachGraph(db, (graph) => db.queryDefinitions(graph, signal), signal),
  loadingRuns: (db, signal) => forEachGraph(db, (graph) => db.loadingRuns(graph, signal), signal),
  dataSources: (db, signal) => db.dataSources(signal),
  vectorStatus: (db, signal) => forEachGraph(db, (graph) => db.vectorStatus(graph, signal), signal),
  cardinality: (db, signal) => forEachGraph(db, (graph) => db.cardinality(graph, signal), signal),
  userFunctions: (db, signal) => db.userFunctions(signal),
  statements: (db, signal) => db.statements(signal),
  users: (db, signal) => db.users(signal),
  userGroups: (db, signal) => db.userGroups(signal),
  roles: (db, signal) => db.roles(signal),
  scimUsers: (db, signal) => db.scimUsers(signal),
  scimGroups: (db, signal) => db.scimGroups(signal),
  deletedVertices: (db, signal) => db.deletedVertices(signal),
};

async function forEachGraph(
  db: GraphDb,
  request: (graph: string) => Promise<CallResult>,
  signal: AbortSignal,
): Promise<CallResult> {
  const graphs = await db.graphs(signal);
  return graphs.ok ? forEachItem(graphs.value, request) : graphs;
}

/** Sends one request after the other; the first failure is the outcome. */
async function forEachItem<T>(items: readonly T[], request: (item: T) => Promise<CallResult>): Promise<CallResult> {
  for (const item of items) {
    const outcome = await request(item);
    if (!outcome.ok) return outcome;
  }
  return ok(undefined);
}
