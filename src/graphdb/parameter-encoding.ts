import type { ParameterScalar, ParameterValue, ParameterValues, ParameterVertex } from '../model/probe.ts';
import type { QueryParameter } from '../model/query-run.ts';

/** Returns the parameters of a query as the query string carries them; a map has no documented form there. */
export function queryStringParameters(values: ParameterValues): readonly QueryParameter[] {
  return Object.entries(values).flatMap(([name, value]) => (isList(value) ? listOf(name, value) : oneOf(name, value)));
}

function listOf(name: string, list: readonly (ParameterScalar | ParameterVertex)[]): readonly QueryParameter[] {
  const isTyped = list.some((one) => isVertex(one) && one.type !== undefined);
  return list.flatMap((one, at) => oneOf(isTyped ? `${name}[${at}]` : name, one));
}

function oneOf(name: string, value: Exclude<ParameterValue, readonly unknown[]>): readonly QueryParameter[] {
  if (isMap(value)) return [];
  if (!isVertex(value)) return [{ name, value: String(value) }];
  const type = value.type === undefined ? [] : [{ name: `${name}.type`, value: value.type }];
  return [{ name, value: value.id }, ...type];
}

/** Returns the parameters of a query as the JSON body of a POST carries them. */
export function jsonParameters(values: ParameterValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isMap(value) ? value.map : value]));
}

/** Returns the parameters of a template query: the type of a vertex is a parameter of its own. */
export function templateParameters(values: ParameterValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => templateEntries(name, value)));
}

function templateEntries(name: string, value: ParameterValue): readonly (readonly [string, unknown])[] {
  if (isList(value)) return [[name, value.map((one) => (isVertex(one) ? one.id : one))], ...listTypes(name, value)];
  if (isMap(value)) return [[name, value.map]];
  if (!isVertex(value)) return [[name, value]];
  return [[name, value.id], ...(value.type === undefined ? [] : [[`${name}.type`, value.type] as const])];
}

function listTypes(
  name: string,
  list: readonly (ParameterScalar | ParameterVertex)[],
): readonly (readonly [string, unknown])[] {
  const types = new Set(list.flatMap((one) => (isVertex(one) && one.type !== undefined ? [one.type] : [])));
  return types.size === 0 ? [] : [[`${name}.type`, types.size === 1 ? [...types][0] : [...types]]];
}

function isList(value: ParameterValue): value is Extract<ParameterValue, readonly unknown[]> {
  return Array.isArray(value);
}

/** Whether a value is a vertex; its type may be absent. */
export function isVertex(value: unknown): value is ParameterVertex {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function isMap(value: ParameterValue): value is Extract<ParameterValue, { readonly map: unknown }> {
  return typeof value === 'object' && !isList(value) && 'map' in value;
}
