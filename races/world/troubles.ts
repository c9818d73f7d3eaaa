import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from '../plan/draw.ts';
import type { Spell, Trouble } from '../plan/plan.ts';

/** Tells whether a trouble shows at an instant, on a node. */
export type TroubleTest = (trouble: Trouble, node: string, now: Millis) => boolean;

/** Compiles spells; chance decides each time anew. */
export function troubleTest(spells: readonly Spell[], draw: Draw): TroubleTest {
  const byTrouble = Map.groupBy(spells, ({ trouble }) => trouble);
  return (trouble, node, now) => {
    const on = byTrouble.get(trouble)?.find((one) => (one.node ?? node) === node && one.from <= now && now < one.to);
    return on !== undefined && draw.chance(on.share);
  };
}
