import type { Millis } from '../../kernel/time.ts';
import { pinnedInstance } from '../instances.ts';
import type { CoverageProblem, GuardState } from './state.ts';

/** Returns why the guard does not cover a node; undefined if it does. */
export function coverageProblem(
  node: string,
  { sharedNodes, instances }: Pick<GuardState, 'sharedNodes' | 'instances'>,
  now: Millis,
): CoverageProblem | undefined {
  if (sharedNodes.has(node)) return 'other_cluster';
  return pinnedInstance(instances, node, now) === undefined ? 'instance' : undefined;
}
