import { z } from 'zod';
import type { DataSource } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { objectOrEmpty, parserOf, textOrEmpty } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const word = textOrEmpty.catch('').transform((text) => text.slice(0, 1000));

const record = parserOf(
  z.object({
    name: z.string().min(1).max(1000),
    belongTo: word,
    type: word,
    content: z.unknown().optional(),
  }),
);

const typed = objectOrEmpty({ type: word });

/**
 * `GET /gsql/v1/data-sources`: the data sources of all graphs. Their configuration contains addresses and credentials:
 * it is reduced to a digest at once, so that a change of it can be detected.
 */
export function fetchDataSources(caller: Caller, signal: AbortSignal): Answer<readonly DataSource[]> {
  const entry = (value: unknown): DataSource | undefined => {
    const read = record(value);
    if (read === undefined) return undefined;
    const { name, belongTo: graph, content } = read;
    const inContent = typed.safeParse(content);
    const type = (read.type === '' && inContent.success ? inContent.data.type : read.type).toUpperCase();
    return {
      name: graph === '' ? name : `${graph}/${name}`,
      type,
      graph,
      parts: [`type ${type}`],
      configuration: caller.digest.sha256(JSON.stringify(content ?? null)),
    };
  };
  return fetchList(caller, { name: 'dataSources', input: {}, member: 'results', entry, needs: 'all' }, signal);
}
