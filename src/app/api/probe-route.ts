import { namesField } from '../../api/fields.ts';
import { KeptSamples } from '../../collect/kept-samples.ts';
import { LatestResults } from '../../collect/latest-results.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { Config } from '../../config/config.ts';
import type { MetricsPage } from '../../expose/metrics-page.ts';
import { failure } from '../../kernel/failure.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Millis, toSeconds } from '../../kernel/time.ts';
import type { ClusterPoller } from '../poll/cluster-poller.ts';
import { createFeed, feedContent } from '../poll/collector-feed.ts';
import type { PlannedCollector } from '../poll/collector-plan.ts';
import { tooManyRequests } from './admission.ts';
import { expositionReply } from './metrics-route.ts';
import { isCrossOrigin } from './operator.ts';
import { parameter } from './query-parameters.ts';
import { problemReply } from './reply.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

/** Metrics page of a probe, and the metrics about the probe itself. */
interface ProbeResult {
  readonly page: MetricsPage;
  readonly metrics: string;
}

const defaultTimeout: Millis = 10_000;
/** Time for the answer to reach the scraper. */
const timeoutMargin: Millis = 500;
const minTimeout: Millis = 100;

/** Returns the route that polls on request, for scrape-driven collection. Its results feed nothing else. */
export function probeRoute(dependencies: RouteDependencies): Route {
  const inFlight = new Map<string, Promise<ProbeResult>>();
  return {
    method: 'GET',
    path: '/probe',
    isForScrapers: true,
    admission: 'probe',
    about: 'Polls a configured cluster or node, or runs one probe there, and returns the metrics.',
    parameters: [
      { ...parameter('target', 'CLUSTER or CLUSTER/NODE.'), required: true },
      parameter('collector', 'Collectors to run: a comma-separated list, or repeated.', namesField),
      parameter('module', 'Probe of the configuration to run, instead of collectors.'),
    ],
    response: { type: 'text/plain' },
    clusterOf: async ({ query }) => ok(query.get('target')?.split('/')[0]),
    errorResponses: {
      400: 'The target, a collector or the probe is not in the configuration.',
      403: 'The probe writes to the server, and the client is not authenticated or another web site sent it.',
      ...tooManyRequests,
    },
    handle,
  };

  async function handle(request: IncomingRequest): Promise<OutgoingReply> {
    const target = parseProbeTarget(request.query, dependencies);
    if (!target.ok) return problemReply(400, target.error);
    if (isWriting(target.value) && !mayWrite(request, dependencies.config().externalUrl)) {
      return problemReply(
        403,
        'This probe writes to the server: on request, it runs only for authenticated clients, and not for requests from another web site.',
      );
    }
    const timeout = probeTimeout(request.headers['x-prometheus-scrape-timeout-seconds']);
    const { page, metrics } = await probeOnce(target.value, timeout);
    return expositionReply(page, request, async () => metrics);
  }

  /** Equal probes share one page: the deadline of the earlier one is sooner. */
  function probeOnce(target: ProbeTarget, timeout: Millis): Promise<ProbeResult> {
    const targets = target.targets.map(({ planned, node }) => [planned.collector.name, node]);
    const key = JSON.stringify([target.poller.settings.name, targets, timeout]);
    const shared = inFlight.get(key);
    if (shared !== undefined) return shared;
    const probed = runProbe(dependencies, target, timeout).finally(() => inFlight.delete(key));
    inFlight.set(key, probed);
    return probed;
  }
}

function isWriting({ targets }: ProbeTarget): boolean {
  return targets.some(({ planned }) => planned.collector.probe?.kind === 'write_heartbeat');
}

function mayWrite({ headers, user, operator }: IncomingRequest, externalUrl: string | undefined): boolean {
  return (user !== undefined || operator !== undefined) && !isCrossOrigin(headers, externalUrl);
}

/** Returns the timeout of a probe: the scraper's timeout less a margin. */
export function probeTimeout(header: string | undefined): Millis {
  const given = Number(header) * 1000;
  const timeout = Number.isFinite(given) && given > 0 ? given : defaultTimeout;
  return Math.max(minTimeout, timeout - timeoutMargin);
}

async function runProbe(dependencies: RouteDependencies, target: ProbeTarget, timeout: Millis): Promise<ProbeResult> {
  const { clock } = dependencies.ports;
  const started = clock.now().mono;
  const page = dependencies.parts.createPage(dependencies.config().limits);
  const board = await pollTarget(dependencies, target, timeout);
  const outcomes = await renderResults(page, board, target);
  return { page, metrics: formatProbeMetrics(outcomes, clock.now().mono - started) };
}

async function pollTarget(
  { ports: { clock } }: RouteDependencies,
  { poller, targets }: ProbeTarget,
  timeout: Millis,
): Promise<LatestResults> {
  const started = clock.now();
  const board = new LatestResults();
  const over = new AbortController();
  const deadline = clock.sleep(timeout, over.signal).then(() => undefined);
  await Promise.all(
    targets.map(async ({ planned, node }) => {
      const { settings, collector } = planned;
      // A check may take half an hour: unlike other polls it must not continue after the probe has answered.
      const limit = settings.schedule === undefined ? settings.timeout : Math.min(settings.timeout, timeout);
      const poll = poller.probe({ collector, settings: { ...settings, timeout: limit } }, node);
      const result = (await Promise.race([poll, deadline])) ?? unfinished();
      board.record({ cluster: poller.settings.name, collector: collector.name, node }, result, Infinity);
    }),
  );
  over.abort();
  return board;

  function unfinished(): PollResult {
    const error = failure('timeout', 'no poll result before the deadline of the probe');
    return { result: err(error), source: '', started, ended: clock.now() };
  }
}

async function renderResults(
  page: MetricsPage,
  board: LatestResults,
  { poller, targets }: ProbeTarget,
): Promise<readonly CollectorOutcome[]> {
  const planned = targets.map((one) => one.planned);
  const outcomes: CollectorOutcome[] = [];
  for (const { planned: own, node } of targets) {
    const feed = createFeed(poller.settings, own, node, planned);
    const content = feedContent(feed, new KeptSamples(), board);
    const { collector } = feed;
    const isRendered = content === undefined || (await putContent(page, JSON.stringify([collector, node]), content));
    outcomes.push({ collector, node, success: board.isFresh(feed) && isRendered && hasSucceeded(feed, board) });
  }
  return outcomes;
}

/** The poll of a probe succeeds also if the probe fails. */
function hasSucceeded(feed: ReturnType<typeof createFeed>, board: LatestResults): boolean {
  const result = board.latest(feed)?.pollResult.result;
  return result?.ok !== true || feed.definition.probeRun?.(result.value).failure === undefined;
}

async function putContent(
  page: MetricsPage,
  name: string,
  content: NonNullable<ReturnType<typeof feedContent>>,
): Promise<boolean> {
  try {
    await page.put(name, content);
    return true;
  } catch {
    page.remove(name);
    return false;
  }
}

/** Collectors that a probe runs, and where. */
export interface ProbeTarget {
  readonly poller: ClusterPoller;
  readonly targets: readonly { readonly planned: PlannedCollector; readonly node: string }[];
}

/** Parses the query of a probe. Only configured targets are allowed; the error is a sentence. */
export function parseProbeTarget(query: URLSearchParams, dependencies: RouteDependencies): Result<ProbeTarget, string> {
  const name = query.get('target');
  if (name === null || name === '') return err("Parameter 'target' is missing: set it to CLUSTER or CLUSTER/NODE.");
  const found = findTarget(name, dependencies.pollers());
  if (found === undefined) return err(`'${name}' is not a configured cluster or node.`);
  const module = query.get('module');
  if (module !== null) return probeOf(module, found, query);
  const named = query.getAll('collector').flatMap((text) => text.split(',').map((one) => one.trim()));
  const planned = named.length === 0 ? ok(defaultCollectors(found)) : selectCollectors(named, found, dependencies);
  return planned.ok ? ok(placesOf(found, planned.value)) : planned;
}

function placesOf(found: FoundTarget, planned: readonly PlannedCollector[]): ProbeTarget {
  const nodes = found.node === '' ? found.poller.nodes().map((member) => member.settings.name) : [found.node];
  const targets = planned.flatMap((one) => {
    const isClusterWide = one.collector.scope === 'cluster' && found.node === '';
    const polled = nodes.filter((node) => one.collector.nodes?.includes(node) ?? true);
    return (isClusterWide ? [''] : polled).map((node) => ({ planned: one, node }));
  });
  return { poller: found.poller, targets };
}

/** Returns the target of one probe of the configuration; a probe of any node runs on the node of the request. */
function probeOf(module: string, found: FoundTarget, query: URLSearchParams): Result<ProbeTarget, string> {
  if (query.has('collector')) return err("Parameters 'module' and 'collector' are mutually exclusive.");
  const probes = found.poller.planned.filter(({ collector }) => collector.probe !== undefined);
  const planned = probes.filter(({ collector }) => collector.probe?.name === module);
  const target = placesOf(found, planned);
  if (target.targets.length > 0) return ok(target);
  const names = probes.flatMap(({ collector }) => collector.probe?.name ?? []).join(', ') || 'none';
  return err(`Probe '${module}' does not run on the target. Probes of the cluster: ${names}.`);
}

interface FoundTarget {
  readonly poller: ClusterPoller;
  /** `''` for a whole cluster. */
  readonly node: string;
}

function findTarget(name: string, pollers: readonly ClusterPoller[]): FoundTarget | undefined {
  const cluster = pollers.find(({ settings }) => settings.name === name);
  if (cluster !== undefined) return { poller: cluster, node: '' };
  for (const poller of pollers) {
    const node = poller.nodes().find((member) => `${poller.settings.name}/${member.settings.name}` === name);
    if (node !== undefined) return { poller, node: node.settings.name };
  }
  return undefined;
}

/** Returns the collectors that run at an interval, without probes; for a single node only those of nodes. */
function defaultCollectors({ poller, node }: FoundTarget): readonly PlannedCollector[] {
  return poller.planned.filter(
    ({ collector, settings }) =>
      settings.schedule === undefined && collector.probe === undefined && (node === '' || collector.scope === 'node'),
  );
}

function selectCollectors(
  names: readonly string[],
  { poller }: FoundTarget,
  dependencies: RouteDependencies,
): Result<readonly PlannedCollector[], string> {
  const planned: PlannedCollector[] = [];
  for (const name of new Set(names)) {
    const running = poller.planned.find(({ collector }) => collector.name === name);
    const one = running === undefined ? selectCollector(name, dependencies.config(), dependencies) : ok(running);
    if (!one.ok) return one;
    if (one.value.collector.taskRuns !== undefined) {
      return err(`Collector '${name}' changes the server: it runs at its scheduled times only.`);
    }
    planned.push(one.value);
  }
  return ok(planned);
}

function selectCollector(name: string, config: Config, { parts }: RouteDependencies): Result<PlannedCollector, string> {
  const collector = parts.collectors.find((one) => one.name === name);
  const settings = Object.hasOwn(config.collectors, name) ? config.collectors[name] : undefined;
  if (collector === undefined || settings === undefined) return err(`Collector '${name}' does not exist.`);
  // A scraper may not start an expensive check that the configuration does not enable.
  const forbidden = !settings.enabled && settings.schedule !== undefined;
  return forbidden ? err(`Collector '${name}' is expensive and not enabled.`) : ok({ collector, settings });
}

/** Result of one collector in a probe; `node` is `''` for a collector of the whole cluster. */
export interface CollectorOutcome {
  readonly collector: string;
  readonly node: string;
  readonly success: boolean;
}

/**
 * Returns the metrics about the probe itself, which follow the page. The lines are the same in both text formats; they are
 * not part of the page because they are about one request.
 */
export function formatProbeMetrics(outcomes: readonly CollectorOutcome[], duration: Millis): string {
  const all = outcomes.length > 0 && outcomes.every(({ success }) => success);
  return [
    ...metricHeader('probe_success', 'Whether every poll of the probe succeeded.'),
    `probe_success ${all ? 1 : 0}`,
    ...metricHeader('probe_duration_seconds', 'Duration of the probe in seconds.'),
    `probe_duration_seconds ${toSeconds(duration)}`,
    ...metricHeader(
      'probe_collector_success',
      'Whether the poll of a collector succeeded; node is empty for a collector of the whole cluster.',
    ),
    ...outcomes.map(({ collector, node, success }) => {
      const labels = `collector="${escapeLabelValue(collector)}",node="${escapeLabelValue(node)}"`;
      return `probe_collector_success{${labels}} ${success ? 1 : 0}`;
    }),
    '',
  ].join('\n');
}

function metricHeader(name: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
}

function escapeLabelValue(value: string): string {
  return value.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
