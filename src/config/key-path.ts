import type { KeyPath } from '../model/problem.ts';

/** A key that looks like one is shown; anything else might be a secret that slipped into the wrong place. */
const presentable = /^[A-Za-z_][A-Za-z_-]{0,39}\d?$/;

/** Whether a key may be repeated to a reader. */
export function isPresentable(key: string): boolean {
  return presentable.test(key);
}

/** Writes a path as `clusters[0].nodes[1].url`; keys that might not be keys are written as `…`. */
export function pathText(path: KeyPath): string {
  return path
    .filter((step) => typeof step === 'string' || step >= 0)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${isPresentable(step) ? step : '…'}`))
    .join('')
    .replace(/^\./, '');
}
