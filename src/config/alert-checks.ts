import { z } from 'zod';
import type { Finding, KeyPath } from '../model/problem.ts';
import { receiverList, unknownName } from './unknown-names.ts';

const name = z.string().optional().catch(undefined);
const receiver = z.looseObject({ name, heartbeat: z.boolean().optional().catch(undefined) });
const route = z.looseObject({
  match: z.unknown().optional(),
  receivers: z.array(name).optional().catch(undefined),
  fallback: name,
  continue: z.unknown().optional(),
});

/** Everything here may be absent or wrong: a view never fails, it sees less. */
const view = z.looseObject({
  receivers: z.array(receiver.optional().catch(undefined)).optional().catch(undefined),
  routes: z.array(route.optional().catch(undefined)).optional().catch(undefined),
});

/**
 * Finds what shows only across the keys of `alerts`: routes to receivers that there are not, and the like. Those that
 * are `notified` by policies of the guard need no route.
 */
export function checkAlerts(
  alerts: unknown,
  scope: string | undefined,
  notified: readonly string[] = [],
): readonly Finding[] {
  const given = view.safeParse(alerts);
  if (!given.success) return [];
  const { receivers = [], routes = [] } = given.data;
  const names = receivers.map((one) => one?.name ?? '');
  return [
    ...elsewhere(receivers.length, scope),
    ...unreached(given.data, notified),
    ...shadowed(given.data),
    ...routes.flatMap((one, at) =>
      one === undefined ? [] : checkRoute(['alerts', 'routes', at], one.receivers ?? [], { ...one, names }),
    ),
  ];
}

/** Beside each node there is a sidecar, and each of them would page for the same. */
function elsewhere(receivers: number, scope: string | undefined): readonly Finding[] {
  if (scope !== 'node' || receivers === 0) return [];
  const message = 'cannot be told by one node: give them to the daemon with `scope: cluster`, or use the rule files';
  return [{ path: ['alerts', 'receivers'], message, aboutKey: true }];
}

/** A receiver that no route leads to would be told nothing, and its owner would take that for good news. */
function unreached(
  { receivers = [], routes = [] }: z.infer<typeof view>,
  notified: readonly string[],
): readonly Finding[] {
  const reached = routes.flatMap((one) => [
    ...(one?.receivers ?? [undefined]),
    ...(one?.fallback === undefined ? [] : [one.fallback]),
  ]);
  if (routes.length === 0 || reached.includes(undefined)) return [];
  return receivers.flatMap((one, at) => {
    if (one?.name === undefined || one.heartbeat === true) return [];
    if (reached.includes(one.name) || notified.includes(one.name)) return [];
    const message = 'is told nothing: no route names it';
    return [{ path: ['alerts', 'receivers', at, 'name'], message, hint: 'name it in alerts.routes' }];
  });
}

/** A route behind one that takes everything looks as if it did something. */
function shadowed({ routes = [] }: z.infer<typeof view>): readonly Finding[] {
  const first = routes.findIndex(
    (one) => one !== undefined && (one.continue ?? false) === false && JSON.stringify(one.match ?? {}) === '{}',
  );
  if (first < 0 || first === routes.length - 1) return [];
  const hint = 'put it before that one, or say `continue: true` there';
  const message = `is never looked at: routes[${first}] takes everything`;
  return [{ path: ['alerts', 'routes', first + 1], message, hint }];
}

function checkRoute(
  path: KeyPath,
  receivers: readonly (string | undefined)[],
  { fallback, names }: { readonly fallback?: string | undefined; readonly names: readonly string[] },
): readonly Finding[] {
  const known = receiverList(names);
  const unknown = receivers.flatMap((named, at) => unknownName([...path, 'receivers', at], named, known));
  const own = fallback !== undefined && receivers.includes(fallback);
  return [
    ...unknown,
    ...unknownName([...path, 'fallback'], fallback, known),
    ...(own ? [{ path: [...path, 'fallback'], message: 'is a receiver of this route already' }] : []),
  ];
}
