import { queries } from '../collect/queries.ts';
import type { AbortReply } from '../graphdb/abort-reply.ts';
import type { AbortOrder } from '../guard/decision/output.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { NodeSettings } from '../model/settings.ts';
import type { AbortTraces } from './abort-traces.ts';
import type { Scheduler } from './scheduler.ts';
import { taskKey } from './task.ts';
import type { Watch } from './watch.ts';

/** How the guard reaches the nodes of one cluster. */
export interface GuardReach {
  nodes(): readonly NodeSettings[];
  /** Has a node asked for its list by the collector that asks for it anyhow; false where it was not asked. */
  list(node: string, isUrgent: boolean): Promise<boolean>;
  /** The one call that ends a query. */
  abort(order: AbortOrder, signal: AbortSignal): Promise<AbortReply>;
  /** All graphs that the cluster is known to have; undefined where nobody tells. */
  graphs(): Promise<readonly string[] | undefined>;
}

interface ReachPorts {
  readonly scheduler: Pick<Scheduler, 'nudge'>;
  readonly clock: Clock;
  /** Absent where nobody traces. */
  readonly aborts?: AbortTraces | undefined;
}

const graphsWithin: Millis = 10_000;

/** The way by what watches the cluster. */
export function reachOf(
  watch: Pick<Watch, 'settings' | 'nodes' | 'down'>,
  { scheduler, clock, aborts }: ReachPorts,
): GuardReach {
  const { name } = watch.settings;
  return {
    nodes: () => watch.nodes().map(({ settings }) => settings),
    list: (node, isUrgent) => scheduler.nudge(taskKey({ cluster: name, collector: queries.name, node }), isUrgent),
    async abort({ node, path, address, id }, signal) {
      const member = watch.nodes().find(({ settings }) => settings.name === node);
      if (member === undefined) return { kind: 'unsent', reason: 'the node is gone' };
      const trace = aborts?.begin(name, { node, id });
      const reply = await member.link.abort({ path, address, ...(trace && { called: trace.called }) }, signal);
      trace?.over(reply);
      return reply;
    },
    async graphs() {
      const down = watch.down();
      const member = watch.nodes().find(({ settings }) => !down.has(settings.name));
      const over = new AbortController();
      const late = clock.sleep(graphsWithin, over.signal).then(() => over.abort());
      const answer = await member?.link.db.graphs(over.signal);
      over.abort();
      await late;
      return answer?.ok === true ? answer.value : undefined;
    },
  };
}
