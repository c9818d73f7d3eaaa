import { z } from 'zod';
import type { SecretSource } from '../kernel/secret.ts';
import type { Millis } from '../kernel/time.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import type { Config } from './config.ts';
import { type NamedList, receiverList, unknownNameFinding } from './name-suggestions.ts';

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
  rules: z
    .looseObject({ watchdog: z.looseObject({ enabled: z.literal(false) }) })
    .optional()
    .catch(undefined),
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
  const known = receiverList(receivers.map((one) => one?.name ?? ''));
  return [
    ...nodeScopeReceivers(receivers.length, scope),
    ...unusedReceivers(given.data, notified),
    ...missingHeartbeats(given.data),
    ...unreachableRoutes(given.data),
    ...missingCatchAll(given.data),
    ...routes.flatMap((one, at) => (one === undefined ? [] : checkRoute(['alerts', 'routes', at], one, known))),
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

/** Finds receivers of the heartbeat, which would get none without the rule that fires it. */
function missingHeartbeats({ receivers = [], rules }: z.infer<typeof view>): readonly UnlocatedProblem[] {
  if (rules === undefined) return [];
  const message = 'has no effect, because alerts.rules.watchdog is disabled; enable it, or remove this key';
  return receivers.flatMap((one, at) =>
    one?.heartbeat === true ? [{ path: ['alerts', 'receivers', at, 'heartbeat'], message, isAboutKey: true }] : [],
  );
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

/** Finds routes that end in one with matchers: alerts that match no route would reach no receiver. */
function missingCatchAll({ routes = [] }: z.infer<typeof view>): readonly UnlocatedProblem[] {
  const last = routes.at(-1);
  if (last === undefined || !hasMatchers(last)) return [];
  const message = 'must not be the last route, because an alert that matches no route reaches no receiver';
  const hint =
    'add a route without matchers as the last one: `{ receivers: [NAME] }`, or `{ receivers: [] }` to drop all other alerts on purpose';
  return [{ path: ['alerts', 'routes', routes.length - 1], message, hint }];
}

/** Whether a route matches every alert. The old key `match`, reported elsewhere, counts as a matcher. */
function matchesEverything({ matchers = [], match }: z.infer<typeof route>): boolean {
  return match === undefined && JSON.stringify(matchers) === '[]';
}

/** Whether a route has matchers, valid or not. */
function hasMatchers({ matchers }: z.infer<typeof route>): boolean {
  return typeof matchers === 'string' || (Array.isArray(matchers) && matchers.length > 0);
}

type RouteView = z.infer<typeof route>;

function checkRoute(path: KeyPath, given: RouteView, known: NamedList): readonly UnlocatedProblem[] {
  const { receivers = [], fallback } = given;
  const unknown = receivers.flatMap((named, at) => unknownNameFinding([...path, 'receivers', at], named, known));
  const own = fallback !== undefined && receivers.includes(fallback);
  return [
    ...unknown,
    ...uselessKeys(path, given),
    ...unknownNameFinding([...path, 'fallback'], fallback, known),
    ...(own
      ? [{ path: [...path, 'fallback'], message: 'is already a receiver of this route; choose another receiver' }]
      : []),
  ];
}

/** Shortest interval of reminders without a warning. */
const minRepeatInterval: Millis = 60_000;

/** Finds routes that repeat notifications more than once a minute. */
export function frequentReminders({ routes }: Config['alerts']): readonly UnlocatedProblem[] {
  return routes.flatMap(({ repeatInterval }, at) => {
    if (repeatInterval === 0 || repeatInterval >= minRepeatInterval) return [];
    const message =
      'is less than 1m, so each alert that fires is repeated more than once a minute; use a longer interval, such as 4h, or 0s for no reminders';
    return [{ path: ['alerts', 'routes', at, 'repeat_interval'], message }];
  });
}

/** Finds receivers that send alerts to the same recipient as an earlier one, with the same credentials. */
export function sameRecipients({ receivers, routes }: Config['alerts']): readonly UnlocatedProblem[] {
  const routed = new Set(routes.flatMap((one) => [...one.receivers]));
  const addresses = receivers.map((one) => (routed.has(one.name) ? addressOf(one) : undefined));
  return addresses.flatMap((address, at) => {
    const first = addresses.indexOf(address);
    if (address === undefined || first === at) return [];
    const message = `sends to the same recipient as receivers[${first}], which gets alerts of both twice`;
    return [{ path: ['alerts', 'receivers', at], message, hint: 'remove one of them, or correct its address' }];
  });
}

function addressOf({ kind, options, secrets }: Config['alerts']['receivers'][number]): string {
  const sources = Object.entries(secrets).map(([key, source]) => [key, 'file' in source, textOf(source)]);
  return JSON.stringify([kind, options, sources]);
}

function textOf(source: SecretSource): string {
  return 'file' in source ? source.file : source.value.reveal();
}

/** Finds keys that have no effect on a route without receivers, which drops alerts. */
function uselessKeys(path: KeyPath, { receivers, ...given }: RouteView): readonly UnlocatedProblem[] {
  if (receivers?.length !== 0) return [];
  const message = 'has no effect on a route without receivers; name receivers, or remove this key';
  const keys = [
    ...(given.fallback === undefined ? [] : ['fallback']),
    ...(given.continue === true ? ['continue'] : []),
  ];
  return keys.map((key) => ({ path: [...path, key], message, isAboutKey: true }));
}
