import { z } from 'zod';
import { ok } from '../../kernel/result.ts';
import type { GraphSize, TypeCount } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { numberSchema, parserOf } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const typeName = z.string().min(1).max(1000);
const counted = numberSchema.pipe(z.number().min(0));
const vertexCount = parserOf(z.object({ v_type: typeName, count: counted }));
const edgeCount = parserOf(z.object({ e_type: typeName, count: counted }));

/**
 * `POST /restpp/builtins/{graph}`: numbers of vertices and edges of every type, from the cache of the server. The
 * parameter `realtime`, which makes the server count again, is never sent. One invalid entry makes the whole reply invalid:
 * without it, the total would be too low, and the alert `graph_shrunk` would fire.
 */
export async function fetchGraphSize(caller: Caller, graph: string, signal: AbortSignal): Answer<GraphSize> {
  const vertices = await fetchCounts(caller, { graph, of: 'stat_vertex_number', entry: parseVertexCount }, signal);
  if (!vertices.ok) return vertices;
  const edges = await fetchCounts(caller, { graph, of: 'stat_edge_number', entry: parseEdgeCount }, signal);
  return edges.ok ? ok({ graph, vertices: vertices.value, edges: edges.value }) : edges;
}

interface CountRequest {
  readonly graph: string;
  readonly of: 'stat_vertex_number' | 'stat_edge_number';
  readonly entry: (value: unknown) => TypeCount | undefined;
}

function fetchCounts(
  caller: Caller,
  { graph, of, entry }: CountRequest,
  signal: AbortSignal,
): Answer<readonly TypeCount[]> {
  const input = { segments: { graph }, body: { function: of, type: '*' } };
  return fetchList(caller, { name: 'graphSize', input, member: 'results', entry, needs: 'all' }, signal);
}

function parseVertexCount(value: unknown): TypeCount | undefined {
  const read = vertexCount(value);
  return read && { type: read.v_type, count: read.count };
}

function parseEdgeCount(value: unknown): TypeCount | undefined {
  const read = edgeCount(value);
  return read && { type: read.e_type, count: read.count };
}
