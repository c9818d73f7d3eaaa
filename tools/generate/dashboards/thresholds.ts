import { rules } from '../../../src/alert/rules/all.ts';

/** Free share of memory below which the engine aborts queries. The alert fires somewhat earlier. */
export const engineAbortMemoryRatio = 0.1;

/** Returns a threshold of an alert rule, so that the line on a panel matches the alert. */
export function threshold(rule: string, name: string): number {
  const found = rules.find((one) => one.name === rule)?.thresholds.find((one) => one.name === name);
  if (found === undefined) throw new Error(`rule ${rule} has no threshold ${name}`);
  return found.value;
}
