import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { GraphSize, TypeCount } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { isGraphName } from '../query-identity.ts';
import { numberSchema, parserOf, rawList } from '../reply-schemas.ts';
import { parseEntries } from './list.ts';

const typeName = z.string().min(1).max(1000);
const row = parserOf(
  z.object({
    type: typeName,
    count: numberSchema.pipe(z.number().min(0)),
    from: z.string().nullish(),
    to: z.string().nullish(),
  }),
);
const reply = z.object({ results: z.object({ vertex_counts: rawList.nullish(), edge_counts: rawList.nullish() }) });

type Row = NonNullable<ReturnType<typeof row>>;

const invalidName = failure('unsupported', 'the name of the graph is invalid');

/**
 * `GET /gsql/v1/stats/cardinality` of a graph: the numbers of vertices and edges by type that the optimizer uses. They
 * are stored, and change only when a user or a query installation updates them.
 */
export async function fetchCardinality(caller: Caller, graph: string, signal: AbortSignal): Answer<GraphSize> {
  if (!isGraphName(graph)) return err(caller.withContext('cardinality', invalidName));
  const json = await caller.json('cardinality', { query: { graph } }, signal);
  if (!json.ok) return json;
  const read = reply.safeParse(json.value);
  if (!read.success)
    return err(caller.withContext('cardinality', failure('body', 'the response contains no cardinality')));
  const { vertex_counts: vertexRows, edge_counts: edgeRows } = read.data.results;
  const vertices = await parseRows(caller, vertexRows ?? [], signal);
  if (!vertices.ok) return vertices;
  const edges = await parseRows(caller, edgeRows ?? [], signal);
  return edges.ok ? ok({ graph, vertices: countsOf(vertices.value), edges: countsOf(edges.value) }) : edges;
}

function parseRows(caller: Caller, entries: readonly unknown[], signal: AbortSignal): Answer<readonly Row[]> {
  return parseEntries(caller, { name: 'cardinality', entries, entry: row }, signal);
}

/** An edge type has a row with its total, rows with the parts for pairs of vertex types, or both. */
function countsOf(rows: readonly Row[]): readonly TypeCount[] {
  const totals = rows.filter(({ from, to }) => isEmpty(from) && isEmpty(to));
  const known = new Set(totals.map(({ type }) => type));
  const parts = rows.filter((one) => !known.has(one.type));
  return [...totals, ...parts].map(({ type, count }) => ({ type, count }));
}

function isEmpty(text: string | null | undefined): boolean {
  return text === undefined || text === null || text === '';
}
