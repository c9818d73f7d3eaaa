import {
  type GraphReport,
  type LoadingJobReport,
  maximumTypes,
  type QueryDefinitionReport,
} from '../../api/database.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { DatabaseContents } from '../../model/contents.ts';
import type { TypeCount } from '../../model/inventory.ts';
import type { RouteDependencies } from './route-dependencies.ts';

/** Parts of the application that know what the servers contain. */
export type DatabaseSite = Pick<RouteDependencies, 'pipeline' | 'board'>;

/** Returns the graphs with their sizes. */
export function reportGraphs(site: DatabaseSite): readonly GraphReport[] {
  return contentsOf(site, 'graphSizes').map(({ graph, vertices, edges, ...place }) => ({
    ...place,
    graph,
    vertices: total(vertices),
    edges: total(edges),
    vertexTypes: largest(vertices),
    edgeTypes: largest(edges),
    otherVertexTypes: Math.max(0, vertices.length - maximumTypes),
    otherEdgeTypes: Math.max(0, edges.length - maximumTypes),
  }));
}

/** Returns the loading jobs with their latest runs, the latest start first. */
export function reportLoadingJobs(site: DatabaseSite): readonly LoadingJobReport[] {
  return contentsOf(site, 'loadingRuns')
    .toSorted((one, other) => other.startedAt - one.startedAt)
    .map(({ id, startedAt, ...run }) => ({
      ...run,
      run: id,
      startedAt: startedAt === 0 ? null : formatTimestamp(startedAt),
    }));
}

/** Returns the definitions of queries. */
export function reportQueryDefinitions(site: DatabaseSite): readonly QueryDefinitionReport[] {
  return contentsOf(site, 'queryDefinitions').map(({ name, ...definition }) => ({ ...definition, query: name }));
}

type Item<Part extends keyof DatabaseContents> = DatabaseContents[Part][number] & {
  readonly cluster: string;
  readonly asOf: string;
};

/** Returns one part of the contents of all clusters; of a poll of which a request failed, what the others returned. */
function contentsOf<Part extends keyof DatabaseContents>(
  { pipeline, board }: DatabaseSite,
  part: Part,
): readonly Item<Part>[] {
  return pipeline.feeds().flatMap(({ feed }) => {
    const entry = board.latest(feed);
    if (feed.definition.contents === undefined || entry === undefined) return [];
    const { result, ended } = entry.pollResult;
    const facts = result.ok ? (entry.fresh ? result.value : undefined) : result.partial;
    if (facts === undefined) return [];
    const items: readonly DatabaseContents[Part][number][] = feed.definition.contents(facts)[part] ?? [];
    return items.map((item) => ({ ...item, cluster: feed.cluster, asOf: formatTimestamp(ended.wall) }));
  });
}

function total(counts: readonly TypeCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function largest(counts: readonly TypeCount[]): readonly TypeCount[] {
  return counts.toSorted((one, other) => other.count - one.count).slice(0, maximumTypes);
}
