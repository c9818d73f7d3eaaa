import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import { firstByName } from '../../model/inventory.ts';
import type { GraphSchema, SchemaItem, SchemaList, SchemaObject, SchemaVersion } from '../../model/schema.ts';
import type { Caller } from '../caller.ts';
import type { CallName } from '../calls.ts';
import type { Answer } from '../graph-db.ts';
import { isGraphName } from '../query-identity.ts';
import { booleanSchema, numberSchema, objectOrEmpty, parserOf, rawList, textOrEmpty } from '../reply-schemas.ts';
import { fetchList, parseEntries } from './list.ts';

/** Maximum numbers that are compared: objects of one kind in a graph, parts of an object, and characters of a text. */
const maxItems = 1000;
const maxParts = 200;
const maxNameLength = 1000;

const name = z.string().min(1).max(maxNameLength);
const word = textOrEmpty.catch('').transform((text) => text.slice(0, maxNameLength));
const flag = booleanSchema.nullish().catch(undefined);
const listOrEmpty = rawList.nullish().catch(undefined);

const attribute = parserOf(
  z.object({
    AttributeName: name,
    AttributeType: objectOrEmpty({ Name: word, KeyTypeName: word, ValueTypeName: word }).catch({
      Name: '',
      KeyTypeName: '',
      ValueTypeName: '',
    }),
    IsPrimaryKey: flag,
    IsDiscriminator: flag,
    HasIndex: flag,
  }),
);

const typeFields = { Name: name, Attributes: listOrEmpty };
const vertexType = parserOf(z.object({ ...typeFields, PrimaryId: z.unknown().optional() }));
const edgeType = parserOf(
  z.object({
    ...typeFields,
    IsDirected: flag,
    FromVertexTypeName: word,
    ToVertexTypeName: word,
    EdgePairs: listOrEmpty,
    Config: objectOrEmpty({ REVERSE_EDGE: word }).catch({ REVERSE_EDGE: '' }),
  }),
);
const edgePair = parserOf(z.object({ From: word, To: word }));
const index = parserOf(z.object({ index: name, attribute: word }));
const detail = z.object({ results: z.object({ VertexTypes: rawList, EdgeTypes: rawList }) });

const invalidName = failure('unsupported', 'the name of the graph is invalid');

/**
 * `GET /gsql/v1/schema`, `/schema/indexes` and `/schema/jobs` of a graph. Versions that list no indexes or no jobs have
 * no list of them.
 */
export async function fetchGraphSchema(caller: Caller, graph: string, signal: AbortSignal): Answer<GraphSchema> {
  if (!isGraphName(graph)) return err(caller.withContext('graphSchema', invalidName));
  const json = await caller.json('graphSchema', { query: { graph } }, signal);
  if (!json.ok) return json;
  const read = detail.safeParse(json.value);
  if (!read.success)
    return err(caller.withContext('graphSchema', failure('body', 'the response contains no vertex and edge types')));
  const { VertexTypes: vertices, EdgeTypes: edges } = read.data.results;
  const vertexTypes = await parseObjects(caller, { graph, entries: vertices, entry: parseVertexType }, signal);
  if (!vertexTypes.ok) return vertexTypes;
  const edgeTypes = await parseObjects(caller, { graph, entries: edges, entry: parseEdgeType }, signal);
  if (!edgeTypes.ok) return edgeTypes;
  const lists = [listOf('vertex_type', vertexTypes.value), listOf('edge_type', edgeTypes.value)];
  const attributes = [...vertexTypes.value, ...edgeTypes.value].reduce((sum, type) => sum + type.attributes, 0);
  for (const [call, object] of [
    ['schemaIndexes', 'index'],
    ['schemaJobs', 'schema_change_job'],
  ] as const) {
    const items = await fetchNamed(caller, { call, graph, object }, signal);
    if (items.ok) lists.push(listOf(object, items.value));
    else if (items.error.reason !== 'unsupported') return items;
  }
  return ok({ graph, attributes, lists });
}

/** `GET /gsql/v1/schema/jobs` without a graph: the schema change jobs of all graphs. */
export async function fetchGlobalSchemaJobs(caller: Caller, signal: AbortSignal): Answer<SchemaList> {
  const items = await fetchNamed(caller, { call: 'schemaJobs', graph: '', object: 'schema_change_job' }, signal);
  return items.ok ? ok(listOf('schema_change_job', items.value)) : items;
}

const envelope = z.object({ version: z.object({ schema: numberSchema }) });

/**
 * `POST /restpp/builtins/{graph}`: the version of the schema in the envelope of the reply. It is the cheapest request
 * for a graph whose reply has one on every version.
 */
export async function fetchSchemaVersion(caller: Caller, graph: string, signal: AbortSignal): Answer<SchemaVersion> {
  const input = { segments: { graph }, body: { function: 'stat_vertex_number', type: '*' } };
  const json = await caller.json('graphSize', input, signal);
  if (!json.ok) return json;
  const read = envelope.safeParse(json.value);
  if (read.success) return ok({ graph, version: read.data.version.schema });
  return err(caller.withContext('graphSize', failure('body', 'the response contains no version of the schema')));
}

function listOf(object: SchemaObject, items: readonly SchemaItem[]): SchemaList {
  return { object, count: items.length, items: firstByName(items, maxItems) };
}

interface TypeItem extends SchemaItem {
  readonly attributes: number;
}

interface ObjectEntries<Item> {
  readonly graph: string;
  readonly entries: readonly unknown[];
  readonly entry: (value: unknown, graph: string) => Item | undefined;
}

function parseObjects<Item>(
  caller: Caller,
  { graph, entries, entry }: ObjectEntries<Item>,
  signal: AbortSignal,
): Answer<readonly Item[]> {
  const parse = (value: unknown): Item | undefined => entry(value, graph);
  return parseEntries(caller, { name: 'graphSchema', entries, entry: parse, needs: 'all' }, signal);
}

function parseVertexType(value: unknown, graph: string): TypeItem | undefined {
  const read = vertexType(value);
  if (read === undefined) return undefined;
  const id = attributeText(read.PrimaryId);
  const attributes = attributeTexts(read.Attributes);
  const parts = [...(id === undefined ? [] : [`primary id ${id}`]), ...attributes];
  return typeItem('vertex_type', `${graph}/${read.Name}`, { parts, attributes: attributes.length });
}

function parseEdgeType(value: unknown, graph: string): TypeItem | undefined {
  const read = edgeType(value);
  if (read === undefined) return undefined;
  const { FromVertexTypeName: from, ToVertexTypeName: to, EdgePairs: pairs, Config: config } = read;
  const ends = (pairs ?? []).flatMap((one) => edgePair(one) ?? []);
  const connected = ends.length > 0 ? ends : [{ From: from, To: to }];
  const attributes = attributeTexts(read.Attributes);
  const parts = [
    read.IsDirected === true ? 'directed' : 'undirected',
    ...connected.map((pair) => `from ${pair.From} to ${pair.To}`),
    ...(config.REVERSE_EDGE === '' ? [] : [`reverse edge ${config.REVERSE_EDGE}`]),
    ...attributes,
  ];
  return typeItem('edge_type', `${graph}/${read.Name}`, { parts, attributes: attributes.length });
}

function typeItem(
  object: SchemaObject,
  of: string,
  { parts, attributes }: Pick<TypeItem, 'parts' | 'attributes'>,
): TypeItem {
  return { object, name: of, parts: parts.slice(0, maxParts), attributes };
}

function attributeTexts(list: readonly unknown[] | null | undefined): readonly string[] {
  return (list ?? []).flatMap((one) => attributeText(one) ?? []);
}

/** `depth UINT`, `tags LIST<STRING> indexed`. */
function attributeText(value: unknown): string | undefined {
  const read = attribute(value);
  if (read === undefined) return undefined;
  const { Name: type, KeyTypeName: key, ValueTypeName: of } = read.AttributeType;
  const inner = [key, of].filter((one) => one !== '').join(', ');
  const notes = [
    read.IsPrimaryKey === true ? ' primary key' : '',
    read.IsDiscriminator === true ? ' discriminator' : '',
    read.HasIndex === true ? ' indexed' : '',
  ];
  return `${read.AttributeName} ${type}${inner === '' ? '' : `<${inner}>`}${notes.join('')}`;
}

interface NamedObjects {
  readonly call: Extract<CallName, 'schemaIndexes' | 'schemaJobs'>;
  /** `''` for objects of no graph. */
  readonly graph: string;
  readonly object: SchemaObject;
}

/** Fetches a list whose entries have the names of vertex types or of jobs as keys. */
async function fetchNamed(
  caller: Caller,
  { call, graph, object }: NamedObjects,
  signal: AbortSignal,
): Answer<readonly SchemaItem[]> {
  const query = { ...(graph !== '' && { graph }), ...(call === 'schemaJobs' && { json: 'true' }) };
  const named = (own: string): string => (graph === '' ? own : `${graph}/${own}`);
  const entry = (value: unknown): readonly SchemaItem[] =>
    keyedEntries(value).flatMap(([key, held]) =>
      call === 'schemaJobs' ? [{ object, name: named(key), parts: [] }] : indexItems(named, key, held),
    );
  const groups = await fetchList(caller, { name: call, input: { query }, member: 'results', entry }, signal);
  return groups.ok ? ok(groups.value.flat()) : groups;
}

const keyed = parserOf(z.record(name, z.unknown()));

function keyedEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(keyed(value) ?? {});
}

/** The text of a job can contain values of users, and is dropped. An index belongs to an attribute of a vertex type. */
function indexItems(named: (own: string) => string, type: string, list: unknown): readonly SchemaItem[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.flatMap((one) => {
    const read = index(one);
    return read === undefined
      ? []
      : [{ object: 'index', name: named(read.index), parts: [`${type}.${read.attribute}`] } as const];
  });
}
