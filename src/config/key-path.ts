import type { KeyPath } from '../model/config-problem.ts';

/** Pattern of keys that are safe to print; anything else could be a misplaced secret. */
const safeKeyPattern = /^[A-Za-z_][A-Za-z_-]{0,39}\d?$/;

/** Whether a key may be printed. */
export function isSafeToShow(key: string): boolean {
  return safeKeyPattern.test(key);
}

/** Formats a path as `clusters[0].nodes[1].url`; an unsafe key becomes `…`. */
export function formatPath(path: KeyPath): string {
  return path
    .filter((step) => typeof step === 'string' || step >= 0)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${isSafeToShow(step) ? step : '…'}`))
    .join('')
    .replace(/^\./, '');
}
