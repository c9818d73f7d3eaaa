import { isWithin, wallTimeAt } from '../kernel/week.ts';
import type { MaintenanceSettings } from './alerting.ts';
import { matches } from './match.ts';

/** The name of the window that holds alerts with these labels back at `wall`, ms since the epoch; undefined where there is none. */
export function windowAt(
  windows: readonly MaintenanceSettings[],
  labels: Readonly<Record<string, string>>,
  wall: number,
): string | undefined {
  return windows.find((window) => matches(window.match, labels) && isOpen(window, wall))?.name;
}

function isOpen(window: MaintenanceSettings, wall: number): boolean {
  return isWithin(window, wallTimeAt(window.zone, wall));
}
