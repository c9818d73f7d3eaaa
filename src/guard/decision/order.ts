import { err, ok, type Result } from '../../kernel/result.ts';
import { abortPath } from './abort-path.ts';
import type { Doubt } from './decision.ts';
import type { Question } from './doubts.ts';
import type { AbortOrder } from './output.ts';

/**
 * The one call that a decision comes to. The rules that may never be broken are looked at here again, beside the call
 * itself, whatever was asked before.
 */
export function orderOf({ decision, state, context, candidate }: Question): Result<AbortOrder, Doubt> {
  const { key, mode, manual, target } = decision;
  const list = state.views.get(target.node)?.list;
  if (mode !== 'enforce') return err('mode');
  if (list === undefined || candidate === undefined) return err('not_listed');
  const { kind, id, graph } = candidate.sighting;
  if (kind !== 'installed') return err('not_installed');
  if (manual === undefined && context.isProtected(candidate)) return err('protected');
  const path = abortPath({ id, graph }, state.graphs);
  if (!path.ok) return err('unknown_graph');
  return ok({ key, node: target.node, address: list.address, id, graph, path: path.value });
}
