import type { RouteDependencies } from '../../src/app/api/route-dependencies.ts';
import { GuardSupervisor } from '../../src/app/guard/guard-supervisor.ts';
import { AlertEngine } from '../../src/app/incidents/alert-engine.ts';
import { IncidentProcessor } from '../../src/app/incidents/incident-processor.ts';
import { CallDurations } from '../../src/app/poll/call-metrics.ts';
import { CheckRuns } from '../../src/app/poll/check-runs.ts';
import type { NodeLinkOptions } from '../../src/app/poll/cluster-nodes.ts';
import { ClusterPoller } from '../../src/app/poll/cluster-poller.ts';
import { planCollectors, planConfigured } from '../../src/app/poll/collector-plan.ts';
import { Pipeline } from '../../src/app/poll/pipeline.ts';
import { ProbeHistory } from '../../src/app/poll/probe-history.ts';
import { Scheduler } from '../../src/app/poll/scheduler.ts';
import type { AppPorts } from '../../src/app/ports/app-ports.ts';
import { LatestResults } from '../../src/collect/latest-results.ts';
import type { Config } from '../../src/config/config.ts';
import { ok } from '../../src/kernel/result.ts';
import { testbed } from './fakes.ts';

/** Returns the connection options of the nodes. */
export function clientOptions({ limits }: Config): NodeLinkOptions {
  return { bodyLimit: limits.body, guarded: false };
}

/** Returns a guard without nodes. */
export function idleGuard(ports: AppPorts): GuardSupervisor {
  return new GuardSupervisor({
    ...ports,
    pauseFile: 'guard.paused',
    facts: () => [],
    nodeAccess: () => undefined,
    record: async () => ok(undefined),
    publish: () => undefined,
  });
}

/** Returns route dependencies with fake clusters, and the parts of the test bed. */
export async function createRouteDependencies(config: Config, bed = testbed()) {
  const { ports, parts, deliverer } = bed;
  const alerts = new AlertEngine({ ...ports, rules: parts.rules, deliverer });
  const board = new LatestResults();
  const pipeline = new Pipeline(board, parts.createPage(config.limits), ports.log);
  const scheduler = new Scheduler(ports);
  const calls = new CallDurations();
  const context = {
    ...ports,
    calls,
    isLinked: () => false,
    openCluster: parts.openCluster,
    board,
    pipeline,
    scheduler,
  };
  const planned = planCollectors(parts.collectors, config);
  const pollers: ClusterPoller[] = [];
  for (const settings of config.clusters) {
    const all = [...planned, ...planConfigured(config, settings.name)];
    const poller = new ClusterPoller({ settings, planned: all, link: clientOptions(config) }, context);
    pollers.push(poller);
    await poller.start();
  }
  const dependencies: RouteDependencies = {
    ports,
    parts,
    board,
    pipeline,
    scheduler,
    alerts,
    guard: idleGuard(ports),
    checkRuns: new CheckRuns(),
    probes: new ProbeHistory(),
    incidents: new IncidentProcessor({
      ...ports,
      alerts,
      situation: () => undefined,
      self: () => ({ receivers: [], stateDurable: true, stateProblem: '' }),
      publish: () => undefined,
    }),
    config: () => config,
    pollers: () => pollers,
    isReady: () => scheduler.isFirstRoundOver(),
    isStalled: () => scheduler.isStuck(),
  };
  return { ...dependencies, ...bed, scheduler };
}
