import { alertName } from '../alert/active-alert.ts';
import type { RouteSettings } from '../alert/alerting.ts';
import type { Rule } from '../alert/rule.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import type { ReceiverTraits } from '../model/alert.ts';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import type { LabelSettings } from './alert-labels.ts';
import { meets, type PossibleAlert, possibleAlerts, possibleSeverities } from './possible-alerts.ts';

/** Settings that determine which alerts a route gets. */
interface RouteCheckSettings extends LabelSettings {
  readonly alerts: LabelSettings['alerts'] & { readonly routes: readonly RouteSettings[] };
}

/** Finds routes that get no alert: their matchers contradict each other, or earlier routes match all of their alerts. */
export function unusedRoutes(settings: RouteCheckSettings, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const { routes } = settings.alerts;
  const names = new Set(routes.flatMap(({ matchers }) => matchers.map(({ name }) => name)));
  const alerts = possibleAlerts(settings, rules, names);
  const used = new Set(alerts.flatMap((alert) => reachedRoutes(alert, routes)));
  return routes.flatMap((route, at) => {
    // The last route has no matchers, and is required.
    if (used.has(route) || route.matchers.length === 0) return [];
    const isPossible = alerts.some((alert) => route.matchers.every((matcher) => meets(matcher, alert) !== false));
    const message = isPossible
      ? 'is never used, because earlier routes match all of its alerts'
      : 'matches no alert, because no enabled rule has alerts with all of these labels';
    const hint = 'move it before these routes, or set `continue: true` there';
    return [{ path: ['alerts', 'routes', at], message, ...(isPossible && { hint }) }];
  });
}

/** Longest group wait of critical alerts without a warning. */
const maxPageWait: Millis = 300_000;

/** Finds routes on which critical alerts wait long for their group. */
export function latePages(settings: RouteCheckSettings, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const { routes } = settings.alerts;
  if (routes.every(({ groupWait }) => groupWait <= maxPageWait)) return [];
  const taken = new Set(criticalAlerts(settings, rules).flatMap((alert) => reachedRoutes(alert, routes)));
  return routes.flatMap((route, at) => {
    if (route.groupWait <= maxPageWait || route.receivers.length === 0 || !taken.has(route)) return [];
    const message = `delays critical alerts by ${formatDuration(route.groupWait)}`;
    const hint = `use at most ${formatDuration(maxPageWait)}, or add a route for critical alerts with \`group_wait: 0s\` before this one`;
    return [{ path: ['alerts', 'routes', at, 'group_wait'], message, hint }];
  });
}

/** Longest configured `for` of a rule with critical alerts without a warning. */
const maxPendingPeriod: Millis = 3_600_000;

/** Finds rules whose critical alerts fire much later than by default. */
export function lateRules({ alerts }: LabelSettings, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  return rules.flatMap((rule) => {
    const own = alerts.rules[rule.name];
    if (own?.enabled !== true || own.for <= Math.max(rule.for, maxPendingPeriod)) return [];
    if (!possibleSeverities(rule, own.severity).includes('critical')) return [];
    const message = `delays critical alerts by ${formatDuration(own.for)}`;
    return [
      { path: ['alerts', 'rules', rule.name, 'for'], message, hint: `use at most ${formatDuration(maxPendingPeriod)}` },
    ];
  });
}

/** Finds that all critical alerts, or all of one place, are dropped although receivers are configured: no page would be sent. */
export function droppedPages(settings: RouteCheckSettings, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const { routes } = settings.alerts;
  if (routes.every(({ receivers }) => receivers.length === 0)) return [];
  const pages = criticalAlerts(settings, rules);
  if (pages.length === 0) return [];
  const isSent = (alert: PossibleAlert) => reachedRoutes(alert, routes).some(({ receivers }) => receivers.length > 0);
  if (!pages.some(isSent)) {
    const hint = 'name receivers in a route that critical alerts match';
    return [{ path: ['alerts', 'routes'], message: 'sends no critical alert to a receiver', hint }];
  }
  const hint =
    'name receivers in a route that these alerts match; to drop them, add a route without receivers that matches their `cluster_name`';
  return [...Map.groupBy(pages, ({ labels }) => labels.cluster_name ?? '')].flatMap(([cluster, own]) => {
    if (own.some(isSent) || own.every((alert) => isDroppedByPlace(alert, settings))) return [];
    const at = settings.clusters.findIndex(({ name }) => name === cluster);
    const place = cluster === '' ? 'about graphwarden itself' : `of clusters[${at}]`;
    return [{ path: ['alerts', 'routes'], message: `sends no critical alert ${place} to a receiver`, hint }];
  });
}

/** Finds alerts that no receiver gets, because they are informational and only pagers are left for them. */
export function withheldFromPagers(
  settings: RouteCheckSettings & { readonly alerts: { readonly receivers: readonly ReceiverTraits[] } },
  rules: readonly Rule[],
): readonly UnlocatedProblem[] {
  const { routes, receivers, rules: own } = settings.alerts;
  const pagers = new Set(receivers.flatMap(({ name, isPager }) => (isPager === true ? [name] : [])));
  const matched = routes.flatMap(({ matchers }) => matchers.map(({ name }) => name));
  const alerts = possibleAlerts(settings, rules, new Set(['severity', 'alertname', ...matched]));
  const isWithheld = (alert: PossibleAlert): boolean => {
    const targets = reachedRoutes(alert, routes).flatMap((one) => one.receivers);
    return alert.labels.severity === 'info' && targets.length > 0 && targets.every((name) => pagers.has(name));
  };
  const message = 'sends alerts to no receiver, because they are informational and the receivers page people';
  const hint = 'add a receiver of another kind, or use a higher severity';
  const lowered = rules.filter((rule) => own[rule.name]?.severity === 'info' && rule.severity !== 'info');
  const ofRules = lowered.flatMap((rule) => {
    const found = alerts.filter(({ labels }) => labels.alertname === alertName(rule));
    const path = ['alerts', 'rules', rule.name, 'severity'];
    return found.length > 0 && found.every(isWithheld) ? [{ path, message, hint }] : [];
  });
  const ofRoutes = routes.flatMap((route, at) => {
    const found = alerts.filter((alert) => reachedRoutes(alert, routes).includes(route));
    return found.length > 0 && found.every(isWithheld) ? [{ path: ['alerts', 'routes', at], message, hint }] : [];
  });
  return [...ofRoutes, ...ofRules];
}

/** Returns whether a route drops an alert by its cluster, or by a label of the cluster: then this is intended. */
function isDroppedByPlace(alert: PossibleAlert, { clusters, alerts: { routes } }: RouteCheckSettings): boolean {
  const names = new Set(['cluster_name', ...clusters.flatMap(({ labels }) => Object.keys(labels))]);
  return reachedRoutes(alert, routes).some(({ receivers, matchers }) => {
    const isByPlace = matchers.some(({ name, operator }) => names.has(name) && operator.startsWith('='));
    return receivers.length === 0 && isByPlace;
  });
}

/** Returns the critical ones of {@link possibleAlerts}, with the labels that the routes match. */
function criticalAlerts(settings: RouteCheckSettings, rules: readonly Rule[]): readonly PossibleAlert[] {
  const matched = settings.alerts.routes.flatMap(({ matchers }) => matchers.map(({ name }) => name));
  const alerts = possibleAlerts(settings, rules, new Set(['severity', 'cluster_name', ...matched]));
  return alerts.filter(({ labels }) => labels.severity === 'critical');
}

/** Returns the routes that an alert may take, by the labels that are known. */
function reachedRoutes(alert: PossibleAlert, routes: readonly RouteSettings[]): readonly RouteSettings[] {
  const reached: RouteSettings[] = [];
  for (const route of routes) {
    const results = route.matchers.map((matcher) => meets(matcher, alert));
    if (results.includes(false)) continue;
    reached.push(route);
    if (!route.continues && !results.includes(undefined)) break;
  }
  return reached;
}
