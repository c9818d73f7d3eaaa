import type { MaintenanceSettings } from '../alert/alerting.ts';
import { formatMatcher } from '../alert/matcher.ts';
import type { Rule } from '../alert/rule.ts';
import type { Millis } from '../kernel/time.ts';
import { isAlwaysOpen } from '../kernel/weekly-hours.ts';
import { openingAt } from '../kernel/weekly-openings.ts';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import type { LabelSettings } from './alert-labels.ts';
import { meets, type PossibleAlert, possibleAlerts } from './possible-alerts.ts';

/** Settings that determine which alerts a maintenance window mutes. */
interface MaintenanceCheckSettings extends LabelSettings {
  readonly alerts: LabelSettings['alerts'] & { readonly maintenance: readonly MaintenanceSettings[] };
}

/** Finds maintenance windows that never close, alone or together: the alerts that they mute never cause notifications. */
export function endlessMaintenance(
  settings: MaintenanceCheckSettings,
  rules: readonly Rule[],
): readonly UnlocatedProblem[] {
  const { maintenance } = settings.alerts;
  const alone = maintenance.flatMap((window, at) => {
    if (!isAlwaysOpen(window)) return [];
    const message =
      'never closes, so matching alerts never cause notifications; correct `days`, `from` or `to`, or disable the rules of these alerts';
    return [{ path: ['alerts', 'maintenance', at], message }];
  });
  return [...alone, ...endlessTogether(settings, rules)];
}

const hoursPerWeek = 168;

/** Most hours of a week for which a window may mute critical alerts without a warning. */
const maxHours = 140;

/** Finds windows that mute critical alerts for most of the week, for example because their start and end are exchanged. */
export function longMaintenance(
  settings: MaintenanceCheckSettings,
  rules: readonly Rule[],
): readonly UnlocatedProblem[] {
  return settings.alerts.maintenance.flatMap((window, at) => {
    const { days, from, to, matchers } = window;
    const minutes = (to > from ? 0 : 24 * 60) + to - from;
    const hours = Math.floor((new Set(days).size * minutes) / 60);
    if (hours <= maxHours || isAlwaysOpen(window)) return [];
    const alerts = possibleAlerts(settings, rules, new Set(['severity', ...matchers.map(({ name }) => name)]));
    const pages = alerts.filter(({ labels }) => labels.severity === 'critical');
    if (!pages.some((alert) => matchers.every((matcher) => meets(matcher, alert) !== false))) return [];
    const message = `mutes critical alerts for ${hours} of the ${hoursPerWeek} hours of a week`;
    const hint = 'exchange `from` and `to`, or add matchers that exclude critical alerts';
    return [{ path: ['alerts', 'maintenance', at], message, hint }];
  });
}

/** Finds windows that leave no time of a week open between them. */
function endlessTogether(settings: MaintenanceCheckSettings, rules: readonly Rule[]): readonly UnlocatedProblem[] {
  const windows = settings.alerts.maintenance.filter((window) => !isAlwaysOpen(window));
  if (windows.length < 2) return [];
  const names = new Set(windows.flatMap(({ matchers }) => matchers.map(({ name }) => name)));
  const alerts = possibleAlerts(settings, rules, names);
  const found = new Map<string, UnlocatedProblem>();
  const keyOf = (some: readonly MaintenanceSettings[]) => some.map((one) => windows.indexOf(one)).join();
  for (const window of windows) {
    const matching = alerts.filter((alert) => window.matchers.every((matcher) => meets(matcher, alert) !== false));
    const sets = new Map(
      matching.map((alert) => windowsFor(alert, window, windows)).map((some) => [keyOf(some), some]),
    );
    const covers = [...sets.values()].map(coverOf);
    const [cover] = covers.filter((one) => one.includes(window));
    if (cover === undefined) continue;
    const key = keyOf(cover);
    const isAll = covers.every((one) => one.length > 0);
    if (isAll || !found.has(key)) found.set(key, problemOf(window, cover, isAll, settings.alerts.maintenance));
  }
  return [...found.values()];
}

function problemOf(
  window: MaintenanceSettings,
  cover: readonly MaintenanceSettings[],
  isAll: boolean,
  all: readonly MaintenanceSettings[],
): UnlocatedProblem {
  const others = cover.filter((one) => one !== window).map((one) => `maintenance[${all.indexOf(one)}]`);
  const matching = isAll ? 'matching alerts' : 'some matching alerts';
  const muted = window.matchers.length === 0 && isAll ? 'no alert ever causes a notification' : undefined;
  const message = `covers all hours of the week together with ${others.join(' and ')}, so ${muted ?? `${matching} never cause notifications`}`;
  const hint = 'correct `days`, `from`, `to` or `tz`, or disable the rules of these alerts';
  return { path: ['alerts', 'maintenance', all.indexOf(window)], message, hint };
}

/** Returns the windows that mute each alert which `alert` may become and which `window` mutes. */
function windowsFor(
  alert: PossibleAlert,
  window: MaintenanceSettings,
  windows: readonly MaintenanceSettings[],
): readonly MaintenanceSettings[] {
  const assumed = new Set(window.matchers.map(formatMatcher));
  return windows.filter(({ matchers }) =>
    matchers.every((matcher) => meets(matcher, alert) === true || assumed.has(formatMatcher(matcher))),
  );
}

/** Returns the fewest of the windows that cover a week; none if they do not cover it. */
function coverOf(windows: readonly MaintenanceSettings[]): readonly MaintenanceSettings[] {
  if (!coversWeek(windows)) return [];
  return windows.reduce((kept, window) => {
    const others = kept.filter((one) => one !== window);
    return coversWeek(others) ? others : kept;
  }, windows);
}

const week: Millis = 7 * 24 * 3_600_000;

/** Weeks without a clock change, in winter and in summer: the hours of time zones differ between them. */
const weeks = [Date.UTC(2026, 0, 12), Date.UTC(2026, 6, 13)];

/** Returns whether the windows leave no time of a week open. */
function coversWeek(windows: readonly MaintenanceSettings[]): boolean {
  return weeks.some((start) => {
    let at = start;
    while (at < start + week) {
      const open = windows.map((window) => openingAt(window, at)).filter((opening) => opening.start <= at);
      if (open.length === 0) return false;
      at = Math.max(...open.map(({ end }) => end));
    }
    return true;
  });
}
