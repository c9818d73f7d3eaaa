import type { Millis } from '../kernel/time.ts';
import { type Destination, heartbeatRule, type ReceiverTraits } from '../model/alert.ts';
import type { RouteSettings } from './alerting.ts';
import { matches } from './matcher.ts';

/** Receiver of an alert, with the repeat interval. */
export interface Target extends Destination {
  /** 0: never. */
  readonly repeatInterval: Millis;
}

/** Interval of the heartbeat. */
const heartbeatInterval: Millis = 60_000;

/** Alert to route. `failing` is the receiver that it is about, `named` are the receivers that it names. */
interface RoutedAlert {
  readonly rule: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly failing?: string;
  readonly named: readonly string[];
}

/** Returns the targets of an alert: those of its routes and those that it names, or those of the heartbeat. */
export function alertTargets(
  { rule, labels, failing, named }: RoutedAlert,
  routes: readonly RouteSettings[],
  receivers: readonly ReceiverTraits[],
): readonly Target[] {
  if (rule === heartbeatRule) return heartbeatTargets(receivers);
  const routed = withNamedReceivers(routeTargets(labels, routes, receivers, failing), named, receivers);
  return withoutPagersForInfo(routed, labels.severity, receivers);
}

/** Returns the receivers of an alert without duplicates. `failing` is the receiver that the alert is about, if any. */
export function routeTargets(
  labels: Readonly<Record<string, string>>,
  routes: readonly RouteSettings[],
  receivers: readonly ReceiverTraits[],
  failing?: string,
): readonly Target[] {
  const targets = new Map<string, Target>();
  for (const route of matchingRoutes(labels, routes)) {
    for (const target of targetsOfRoute(route, labels))
      if (!targets.has(target.receiver)) targets.set(target.receiver, target);
  }
  return withoutFailingReceiver([...targets.values()], failing, receivers);
}

/** Returns whether all routes of an alert have an empty list of receivers, which drops the alert on purpose. */
export function isDroppedByRoutes(labels: Readonly<Record<string, string>>, routes: readonly RouteSettings[]): boolean {
  const own = matchingRoutes(labels, routes);
  return own.length > 0 && own.every(({ receivers }) => receivers.length === 0);
}

/** Returns the routes that an alert takes: the first that matches, and the next one after each with `continue`. */
function matchingRoutes(
  labels: Readonly<Record<string, string>>,
  routes: readonly RouteSettings[],
): readonly RouteSettings[] {
  const matching = routes.filter(({ matchers }) => matches(matchers, labels));
  const last = matching.findIndex(({ continues }) => !continues);
  return last < 0 ? matching : matching.slice(0, last + 1);
}

/** Adds the named receivers that are configured. They are notified immediately, even if a route has a group wait. */
export function withNamedReceivers(
  targets: readonly Target[],
  named: readonly string[],
  receivers: readonly ReceiverTraits[],
): readonly Target[] {
  const routed = targets.map((target) => (named.includes(target.receiver) ? { ...target, groupWait: 0 } : target));
  const others = receivers.filter(
    ({ name }) => named.includes(name) && targets.every(({ receiver }) => receiver !== name),
  );
  return [...routed, ...others.map(({ name }) => immediateTarget(name))];
}

/** Removes the pagers from the targets of an informational alert, which must not wake a person. */
export function withoutPagersForInfo(
  targets: readonly Target[],
  severity: string | undefined,
  receivers: readonly ReceiverTraits[],
): readonly Target[] {
  if (severity !== 'info') return targets;
  const pagers = new Set(receivers.flatMap(({ name, isPager }) => (isPager === true ? [name] : [])));
  return targets.filter(({ receiver }) => !pagers.has(receiver));
}

/** Returns the targets of the heartbeat: only receivers that enable it. */
export function heartbeatTargets(receivers: readonly ReceiverTraits[]): readonly Target[] {
  return receivers
    .filter((receiver) => receiver.heartbeat)
    .map(({ name }) => ({ ...immediateTarget(name), repeatInterval: heartbeatInterval }));
}

function targetsOfRoute(
  { receivers, groupBy, groupWait, groupInterval, repeatInterval, fallback }: RouteSettings,
  labels: Readonly<Record<string, string>>,
): readonly Target[] {
  const group = Object.fromEntries(groupBy.map((name) => [name, labels[name] ?? '']));
  const common = { group, groupWait, groupInterval, repeatInterval, ...(fallback === undefined ? {} : { fallback }) };
  return receivers.map((receiver) => ({ receiver, ...common }));
}

/**
 * Removes the failing receiver of a `delivery_failing` alert; without another routed receiver, all others are targets.
 */
function withoutFailingReceiver(
  targets: readonly Target[],
  failing: string | undefined,
  receivers: readonly ReceiverTraits[],
): readonly Target[] {
  if (failing === undefined) return targets;
  const others = targets
    .filter(({ receiver }) => receiver !== failing)
    .map((target) => withoutFallbackTo(target, failing));
  if (others.length > 0) return others;
  return receivers.filter(({ name }) => name !== failing).map(({ name }) => immediateTarget(name));
}

/** Returns a target without a route: no grouping, no reminders. */
function immediateTarget(receiver: string): Target {
  return { receiver, group: {}, groupWait: 0, repeatInterval: 0 };
}

function withoutFallbackTo({ fallback, ...target }: Target, failing: string): Target {
  return fallback === undefined || fallback === failing ? target : { ...target, fallback };
}
