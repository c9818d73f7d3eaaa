import { z } from 'zod';
import { ok } from '../../kernel/result.ts';
import { type EndpointItem, type EndpointKind, endpointKinds } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { parseQueryIdentity } from '../query-identity.ts';
import { parserOf, textOrEmpty } from '../reply-schemas.ts';
import { parseEntries } from './list.ts';

/** Maximum length of the name of an endpoint, and maximum number of parameters that are compared. The server accepts URLs of 8 kB. */
const maxNameLength = 1000;
const maxParameters = 200;

const parameter = z.object({ type: textOrEmpty, default: textOrEmpty, min_count: textOrEmpty, max_count: textOrEmpty });
const definition = parserOf(
  z.object({
    parameters: z
      .record(z.string().max(maxNameLength), parameter.catch({ type: '', default: '', min_count: '', max_count: '' }))
      .nullish()
      .transform((value) => Object.entries(value ?? {})),
  }),
);

/** `GET /restpp/endpoints` of all graphs, once for each kind, because the answer does not contain the kind. */
export async function fetchEndpoints(caller: Caller, signal: AbortSignal): Answer<readonly EndpointItem[]> {
  const items: EndpointItem[] = [];
  for (const kind of endpointKinds) {
    const listed = await fetchKind(caller, kind, signal);
    if (!listed.ok) return listed;
    items.push(...listed.value);
  }
  return ok(items);
}

/** A bare object keyed `METHOD /path`. Members without a blank in their key belong to an envelope. */
async function fetchKind(caller: Caller, kind: EndpointKind, signal: AbortSignal): Answer<readonly EndpointItem[]> {
  const json = await caller.json('endpoints', { query: { [kind]: 'true' } }, signal);
  if (!json.ok) return json;
  const entries = Object.entries(json.value);
  const entry = ([name, value]: readonly [string, unknown]): EndpointItem | undefined => parseItem(kind, name, value);
  return await parseEntries(caller, { name: 'endpoints', entries, entry }, signal);
}

function parseItem(kind: EndpointKind, key: string, value: unknown): EndpointItem | undefined {
  const [, method, path] = /^([A-Z]{3,10}) (?:\/restpp)?(\/\S*)$/.exec(key) ?? [];
  const read = definition(value);
  if (method === undefined || path === undefined || read === undefined || key.length > maxNameLength) return undefined;
  const parts = read.parameters
    .slice(0, maxParameters)
    .map(
      ([name, { type, default: preset, min_count: least, max_count: most }]) =>
        `${name} ${type} default=${preset} count=${least}..${most}`,
    );
  return { name: `${method} ${path}`, kind, graph: parseQueryIdentity(path).graph, parts: parts.toSorted() };
}
