import { z } from 'zod';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { receiverList, unknownNameFinding } from './name-suggestions.ts';

const name = z.string().optional().catch(undefined);
const receiver = z.looseObject({ name, heartbeat: z.boolean().optional().catch(undefined) });
const route = z.looseObject({
  matchers: z.unknown().optional(),
  match: z.unknown().optional(),
  receivers: z.array(name).optional().catch(undefined),
  fallback: name,
  continue: z.unknown().optional(),
});

/** Lenient view of the section: absent and invalid values become undefined. */
const view = z.looseObject({
  receivers: z.array(receiver.optional().catch(undefined)).optional().catch(undefined),
  routes: z.array(route.optional().catch(undefined)).optional().catch(undefined),
});

/**
 * Finds problems across the keys of `alerts`, such as routes to unknown receivers. Receivers that guard policies notify
 * (`notified`) need no route.
 */
export function checkAlerts(
  alerts: unknown,
  scope: string | undefined,
  notified: readonly string[] = [],
): readonly UnlocatedProblem[] {
  const given = view.safeParse(alerts);
  if (!given.success) return [];
  const { receivers = [], routes = [] } = given.data;
  const names = receivers.map((one) => one?.name ?? '');
  return [
    ...nodeScopeReceivers(receivers.length, scope),
    ...unusedReceivers(given.data, notified),
    ...unreachableRoutes(given.data),
    ...routes.flatMap((one, at) =>
      one === undefined ? [] : checkRoute(['alerts', 'routes', at], one.receivers ?? [], { ...one, names }),
    ),
  ];
}

/** Rejects receivers in a sidecar: the sidecars of all nodes would send the same notifications. */
function nodeScopeReceivers(receivers: number, scope: string | undefined): readonly UnlocatedProblem[] {
  if (scope !== 'node' || receivers === 0) return [];
  const message =
    'are not supported with `scope: node`; move them to the daemon with `scope: cluster`, or use the Prometheus rule files';
  return [{ path: ['alerts', 'receivers'], message, isAboutKey: true }];
}

/** Finds receivers without a route, which would silently get no notifications. */
function unusedReceivers(
  { receivers = [], routes = [] }: z.infer<typeof view>,
  notified: readonly string[],
): readonly UnlocatedProblem[] {
  const reached = routes.flatMap((one) => [
    ...(one?.receivers ?? [undefined]),
    ...(one?.fallback === undefined ? [] : [one.fallback]),
  ]);
  if (routes.length === 0 || reached.includes(undefined)) return [];
  return receivers.flatMap((one, at) => {
    if (one?.name === undefined || one.heartbeat === true) return [];
    if (reached.includes(one.name) || notified.includes(one.name)) return [];
    const message = 'gets no notifications, because no route names it; add it to alerts.routes';
    return [{ path: ['alerts', 'receivers', at, 'name'], message }];
  });
}

/** Finds a route after one that matches every alert. */
function unreachableRoutes({ routes = [] }: z.infer<typeof view>): readonly UnlocatedProblem[] {
  const first = routes.findIndex(
    (one) => one !== undefined && (one.continue ?? false) === false && matchesEverything(one),
  );
  if (first < 0 || first === routes.length - 1) return [];
  const message = `is never used, because routes[${first}] matches every alert; move it before that route, or set \`continue: true\` there`;
  return [{ path: ['alerts', 'routes', first + 1], message }];
}

/** Whether a route matches every alert. The old key `match`, reported elsewhere, counts as a matcher. */
function matchesEverything({ matchers = [], match }: z.infer<typeof route>): boolean {
  return match === undefined && JSON.stringify(matchers) === '[]';
}

function checkRoute(
  path: KeyPath,
  receivers: readonly (string | undefined)[],
  { fallback, names }: { readonly fallback?: string | undefined; readonly names: readonly string[] },
): readonly UnlocatedProblem[] {
  const known = receiverList(names);
  const unknown = receivers.flatMap((named, at) => unknownNameFinding([...path, 'receivers', at], named, known));
  const own = fallback !== undefined && receivers.includes(fallback);
  return [
    ...unknown,
    ...unknownNameFinding([...path, 'fallback'], fallback, known),
    ...(own
      ? [{ path: [...path, 'fallback'], message: 'is already a receiver of this route; choose another receiver' }]
      : []),
  ];
}
