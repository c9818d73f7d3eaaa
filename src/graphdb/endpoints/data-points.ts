import { z } from 'zod';
import { ok } from '../../kernel/result.ts';
import type { CategoryRow } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { numberSchema, parserOf } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const name = z.string().min(1).max(200);

const point = parserOf(
  z.object({
    detail: numberSchema,
    when: numberSchema.pipe(z.int().min(0).max(99_999_999_999)),
    where: name,
    who: name,
  }),
);

type DataPoint = NonNullable<ReturnType<typeof point>>;

/** Measurements whose `detail` is a number; the form of the others is not documented. */
const measurements = { cpu: 'cpuPercent', mem: 'memoryMb' } as const;

/** Data points that are requested; the documents do not say whether they count for each service. */
const latest = '1000';

/**
 * `GET /ts3/api/datapoints` (before 4.0, on the first node only): processors and memory of each service, in the form of
 * the category that newer servers have. Several instances of a service on one host are one row, as there.
 */
export async function fetchDataPoints(caller: Caller, signal: AbortSignal): Answer<readonly CategoryRow[]> {
  const rows = new Map<string, CategoryRow>();
  for (const [what, field] of Object.entries(measurements)) {
    const input = { query: { what, latest } };
    const points = await fetchList(caller, { name: 'dataPoints', input, member: 'results', entry: point }, signal);
    if (!points.ok) return points;
    for (const { detail, when, where, who } of newestOf(points.value)) {
      const service = serviceOf(who);
      const key = JSON.stringify([where, service]);
      rows.set(key, { ...rows.get(key), hostId: where, collectedNs: `${when}000000000`, service, [field]: detail });
    }
  }
  return ok([...rows.values()]);
}

/** Returns the newest point of each service instance, those of the first instance of a service last. */
function newestOf(points: readonly DataPoint[]): readonly DataPoint[] {
  const newest = new Map<string, DataPoint>();
  for (const one of points.toSorted((first, second) => first.when - second.when)) {
    newest.set(JSON.stringify([one.where, one.who]), one);
  }
  return [...newest.values()].toSorted((first, second) => (first.who < second.who ? 1 : -1));
}

/** `GPE` of `GPE_1#2`, `RESTPP` of `RESTPP#1`. */
function serviceOf(who: string): string {
  return who.replace(/(_\d+)?#\d+$/, '');
}
