import { type Call, type CallInput, type CallName, calls, type PathForm, templateOf } from './calls.ts';

/**
 * Segments that hold the id of a vertex, which is data of users. An id is encoded; one with a slash, a backslash, a percent
 * sign or only dots is refused, because a proxy that decodes it could understand another path.
 */
const idSegments: ReadonlySet<string> = new Set(['vertexId', 'sourceId', 'targetId']);

/** Patterns of the only segments that may contain dots. */
const dotted: Readonly<Record<string, RegExp>> = {
  template: /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,5}$/,
  requestId: /^(?!\.+$)[\w.-]{1,128}$/,
};

/** Longest id of a vertex. */
const maxIdLength = 512;

function segmentText(name: string, value: string): string | undefined {
  if (idSegments.has(name)) return isVertexId(value) ? encodeURIComponent(value) : undefined;
  return (dotted[name] ?? /^[\w-]{1,128}$/).test(value) ? value : undefined;
}

/** Returns whether an id of a vertex can be part of a path. */
export function isVertexId(id: string): boolean {
  return id.length <= maxIdLength && id.isWellFormed() && /^(?!\.*$)[^\p{Cc}/\\%?#]+$/u.test(id);
}

/** Returns path and query string of a call; undefined if a segment is missing, or invalid in a path. */
export function pathOf(name: CallName, input: CallInput, form: PathForm): string | undefined {
  const given = Object.entries(input.segments ?? {}).map(([key, value]) => [key, segmentText(key, value)] as const);
  const path = given.every(([, text]) => text !== undefined) ? fillIn(name, form, new Map(given)) : undefined;
  return path === undefined ? undefined : path + queryOf(calls[name], input, form);
}

/** Returns the path of a call without the ids of vertices, for traces; query values are removed elsewhere. */
export function tracedPathOf(name: CallName, input: CallInput, form: PathForm): string | undefined {
  const given = Object.entries(input.segments ?? {});
  return pathOf(
    name,
    { ...input, segments: Object.fromEntries(given.map(([key, value]) => [key, idSegments.has(key) ? 'ID' : value])) },
    form,
  );
}

function fillIn(name: CallName, form: PathForm, segments: ReadonlyMap<string, string | undefined>): string | undefined {
  const template = templateOf(name, form);
  if (!template.includes('{')) return template;
  if (![...template.matchAll(/\{(\w+)\}/g)].every(([, key = '']) => segments.has(key))) return undefined;
  return template.replace(/\{(\w+)\}/g, (_, key: string) => segments.get(key) ?? '');
}

function queryOf({ fixed, older }: Call, input: CallInput, form: PathForm): string {
  const always: Readonly<Record<string, string>> = { ...fixed, ...(form === 'older' && olderQuery(older, input)) };
  const parameters = new URLSearchParams({ ...input.query, ...always });
  for (const given of input.parameters ?? []) {
    if (!Object.hasOwn(always, given.name)) parameters.append(given.name, given.value);
  }
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}

function olderQuery(older: Call['older'], { segments }: CallInput): Readonly<Record<string, string>> {
  const moved = Object.entries(older?.segments ?? {}).map(([name, segment]) => [name, segments?.[segment] ?? '']);
  return { ...older?.query, ...Object.fromEntries(moved) };
}
