import { z } from 'zod';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { closestMatch, withHint } from './name-suggestions.ts';

const name = z.string().optional().catch(undefined);
const names = z.array(name).optional().catch(undefined);
const metric = z.looseObject({
  name,
  labels: z.record(z.string(), z.unknown()).optional().catch(undefined),
  static_labels: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const query = z.looseObject({
  name,
  clusters: names,
  nodes: names,
  metrics: z.array(metric.optional().catch(undefined)).optional().catch(undefined),
});

const probe = z.looseObject({ name, clusters: names, nodes: names });

/** Lenient view of the file: absent and invalid values become undefined. */
const view = z.looseObject({
  clusters: z
    .array(
      z
        .looseObject({
          name,
          nodes: z.array(z.looseObject({ name }).optional().catch(undefined)).optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    )
    .catch([]),
  custom: z.array(query.optional().catch(undefined)).catch([]),
  probes: z.array(probe.optional().catch(undefined)).catch([]),
});

type Query = z.infer<typeof query>;

interface LocatedQuery {
  readonly one: Query;
  readonly path: KeyPath;
}

const labelsView = z.record(z.string(), z.unknown()).catch({});

type Clusters = z.infer<typeof view>['clusters'];

/** Finds problems across the custom queries and probes: names that are not unique, clusters and nodes that do not exist. */
export function checkCustomQueries(value: unknown): readonly UnlocatedProblem[] {
  const given = view.safeParse(value);
  if (!given.success) return [];
  const { custom, probes, clusters } = given.data;
  const probing = probes.flatMap((one, at) => (one === undefined ? [] : [{ one, path: ['probes', at] }]));
  const allQueries = custom.flatMap((one, at) => (one === undefined ? [] : [{ one, path: ['custom', at] }]));
  return [
    ...repeated(allQueries.map(({ one, path }) => ({ text: one.name, path: [...path, 'name'] }))),
    ...repeated(allQueries.flatMap(({ one, path }) => metricNames(one, path))),
    ...repeated(probing.map(({ one, path }) => ({ text: one.name, path: [...path, 'name'] }))),
    ...[...allQueries, ...probing].flatMap(({ one, path }) => unknownScopes(one, path, clusters)),
    ...clusterLabels(allQueries, clusters),
  ];
}

interface LocatedName {
  readonly text: string | undefined;
  readonly path: KeyPath;
}

/** Returns the names of metrics that must be unique. OpenMetrics names a counter without `_total`, so no gauge may have that name. */
function metricNames({ metrics = [] }: Query, path: KeyPath): readonly LocatedName[] {
  return metrics.map((one, at) => ({
    text: one?.name?.replace(/_total$/, ''),
    path: [...path, 'metrics', at, 'name'],
  }));
}

function repeated(all: readonly LocatedName[]): readonly UnlocatedProblem[] {
  const owners = new Map<string, KeyPath>();
  return all.flatMap(({ text, path }) => {
    if (text === undefined) return [];
    const owner = owners.get(text);
    if (owner === undefined) owners.set(text, path);
    return owner === undefined
      ? []
      : [{ path, message: `is already used by ${placeText(owner)}; choose another name` }];
  });
}

function placeText(path: KeyPath): string {
  return path
    .slice(0, -1)
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`))
    .join('');
}

function unknownScopes(
  { clusters: wanted, nodes }: Pick<Query, 'clusters' | 'nodes'>,
  path: KeyPath,
  clusters: Clusters,
): readonly UnlocatedProblem[] {
  const known = clusters.flatMap((one) => one?.name ?? []);
  const used = clusters.filter((one) => wanted === undefined || wanted.includes(one?.name));
  const isDiscovered = used.some((one) => one?.nodes === undefined);
  const knownNodes = used.flatMap((one) => one?.nodes?.flatMap((node) => node?.name ?? []) ?? []);
  return [
    ...unknown(wanted, known, [...path, 'clusters'], 'a configured cluster'),
    ...(isDiscovered ? [] : unknown(nodes, knownNodes, [...path, 'nodes'], 'a node of these clusters')),
  ];
}

function unknown(
  wanted: readonly (string | undefined)[] | undefined,
  known: readonly string[],
  path: KeyPath,
  what: string,
): readonly UnlocatedProblem[] {
  return (wanted ?? []).flatMap((text, at) => {
    if (text === undefined || known.includes(text)) return [];
    const hint = () => {
      const meant = closestMatch(text, known);
      return meant === undefined ? `known here: ${known.join(', ')}` : `did you mean \`${meant}\`?`;
    };
    return [withHint({ path: [...path, at], message: `is not ${what}` }, hint)];
  });
}

/** Reports labels of metrics that a cluster also adds to all of its series. */
function clusterLabels(queries: readonly LocatedQuery[], clusters: Clusters): readonly UnlocatedProblem[] {
  const labels = new Set(clusters.flatMap((one) => Object.keys(labelsView.parse(one?.labels))));
  const metrics = queries.flatMap(({ one, path }) =>
    (one.metrics ?? []).map((given, at) => ({ given, path: [...path, 'metrics', at] })),
  );
  return metrics.flatMap(({ given, path }) =>
    (['labels', 'static_labels'] as const).flatMap((key) =>
      Object.keys(given?.[key] ?? {})
        .filter((label) => labels.has(label))
        .map((label) => ({
          path: [...path, key, label],
          message: 'is already a label of a cluster; choose another name for the label',
          isAboutKey: true,
        })),
    ),
  );
}
