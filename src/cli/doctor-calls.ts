import type { CallName } from '../collect/collector.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure } from '../kernel/failure.ts';
import { ok, type Result } from '../kernel/result.ts';
import { informantCategories } from '../model/node.ts';

/** How a call went; what it gave does not matter here. */
export type Outcome = Result<unknown, Failure>;

type Ask = (db: GraphDb, signal: AbortSignal) => Promise<Outcome>;

/** Every call of the server with what it takes to try it. One that wants a graph is tried on each. */
export const doctorCalls: Readonly<Record<CallName, Ask>> = {
  graphs: (db, signal) => db.graphs(signal),
  ping: (db, signal) => db.ping(signal),
  echo: (db, signal) => db.echo(signal),
  versions: (db, signal) => db.versions(signal),
  informantMetrics: (db, signal) => db.informantMetrics(signal),
  category: (db, signal) => each(informantCategories, (category) => db.category(category, signal)),
  serviceStatus: (db, signal) => db.serviceStatus(signal),
  statistics: (db, signal) => eachGraph(db, (graph) => db.statistics(graph, signal), signal),
  processListAll: (db, signal) => db.processListAll(signal),
  processList: (db, signal) => eachGraph(db, (graph) => db.processList(graph, signal), signal),
  delayedList: (db, signal) => db.delayedList(signal),
  queueStatus: (db, signal) => db.queueStatus(signal),
  license: (db, signal) => db.license(signal),
  dataConsistency: (db, signal) => db.dataConsistency(signal),
  deletedVertices: (db, signal) => db.deletedVertices(signal),
};

async function eachGraph(db: GraphDb, ask: (graph: string) => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const graphs = await db.graphs(signal);
  return graphs.ok ? each(graphs.value, ask) : graphs;
}

/** Asks one after the other; the first failure is the outcome. */
async function each<T>(items: readonly T[], ask: (item: T) => Promise<Outcome>): Promise<Outcome> {
  for (const item of items) {
    const outcome = await ask(item);
    if (!outcome.ok) return outcome;
  }
  return ok(undefined);
}
