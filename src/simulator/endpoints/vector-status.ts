import type { Endpoint } from '../call.ts';
import { restppResults } from '../replies.ts';
import { unknownGraph } from './database.ts';

/** `GET /restpp/vector/status/{graph}`: the engines that rebuild vector indexes, which a change of the schema makes them do. */
export const vectorStatus: Endpoint = ({ world, path }) => {
  const online = world.hosts.filter(({ isDown }) => !isDown);
  const rebuilding = world.isSchemaChanged ? online.map(({ host }) => host.engine.replace(/_(\d+)$/, '#$1')) : [];
  const results = { NeedRebuildServers: rebuilding };
  return unknownGraph(world, path.graph ?? '') ?? restppResults(results, 'fetched status success');
};
