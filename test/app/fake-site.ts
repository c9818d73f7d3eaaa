import { Alerts } from '../../src/app/alerts.ts';
import type { AppPorts } from '../../src/app/app.ts';
import { CallDurations } from '../../src/app/call-metrics.ts';
import { GuardWatch } from '../../src/app/guard-watch.ts';
import { Incidents } from '../../src/app/incidents.ts';
import type { LinkOptions } from '../../src/app/members.ts';
import { Pipeline } from '../../src/app/pipeline.ts';
import { plan } from '../../src/app/plan.ts';
import { Scheduler } from '../../src/app/scheduler.ts';
import type { Site } from '../../src/app/site.ts';
import { Watch } from '../../src/app/watch.ts';
import { Board } from '../../src/collect/board.ts';
import type { Config } from '../../src/config/config.ts';
import { ok } from '../../src/kernel/result.ts';
import { testbed } from './fakes.ts';

/** How the nodes of a site are spoken to. */
export function linkOf({ limits }: Config): LinkOptions {
  return { bodyLimit: limits.body, guarded: false };
}

/** A guard that has nothing to guard. */
export function idleGuard(ports: AppPorts): GuardWatch {
  return new GuardWatch({
    ...ports,
    pauseFile: 'guard.paused',
    facts: () => [],
    reach: () => undefined,
    record: async () => ok(undefined),
    publish: () => undefined,
  });
}

/** A site over fake clusters, for tests of what only looks at it; more than a site, for those who look closer. */
export async function siteOf(config: Config, bed = testbed()) {
  const { ports, parts, deliverer } = bed;
  const alerts = new Alerts({ ...ports, rules: parts.rules, deliverer });
  const board = new Board();
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
  const planned = plan(parts.collectors, config);
  const watches: Watch[] = [];
  for (const settings of config.clusters) {
    const watch = new Watch({ settings, planned, link: linkOf(config) }, context);
    watches.push(watch);
    await watch.start();
  }
  const site: Site = {
    ports,
    parts,
    board,
    pipeline,
    alerts,
    guard: idleGuard(ports),
    incidents: new Incidents({
      ...ports,
      alerts,
      situation: () => undefined,
      self: () => ({ receivers: [], stateDurable: true, stateTrouble: '' }),
      publish: () => undefined,
    }),
    config: () => config,
    watches: () => watches,
    isReady: () => scheduler.firstRoundIsOver(),
    isStuck: () => scheduler.isStuck(),
  };
  return { ...site, ...bed, scheduler };
}
