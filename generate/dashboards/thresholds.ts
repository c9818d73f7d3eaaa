import { rules } from '../../src/alert/rules/all.ts';

/** The free share of memory below which the engine aborts queries; the rule pages somewhat earlier. */
export const engineAbortsBelow = 0.1;

/** What the catalogue of alerts goes by, so that a line on a panel is where an alert is. */
export function threshold(rule: string, name: string): number {
  const found = rules.find((one) => one.name === rule)?.thresholds.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no threshold ${name} of ${rule}`);
  return found.value;
}
