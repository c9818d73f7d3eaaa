import type { Endpoint } from '../call.ts';
import { json, restppError } from '../replies.ts';
import { unknownGraph } from './unknown-graph.ts';

/** `GET /restpp/statistics[/{graph}]?seconds&segments`: this node alone, and no envelope unless something is wrong. */
export const statistics: Endpoint = ({ world, node, path, query }) => {
  const seconds = wholeNumber(query.get('seconds') ?? '', 60);
  const segments = wholeNumber(query.get('segments') ?? '10', 100);
  if (seconds === undefined) return badParameter('seconds', 'a positive integer of at most 60');
  if (segments === undefined) return badParameter('segments', 'an integer from 1 to 100');
  const graph = path.graph;
  if (graph === undefined) return json(world.statistics(node, { seconds, segments }));
  return unknownGraph(world, graph) ?? json(world.statistics(node, { seconds, segments, graph }));
};

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return text !== '' && Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

function badParameter(name: string, wanted: string): ReturnType<typeof restppError> {
  return restppError(400, 'REST-30400', `The parameter '${name}' must be ${wanted}.`);
}
