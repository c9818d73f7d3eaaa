import type { WishDoubt } from '../guard/decision/wish.ts';
import type { Refusal } from './guard-control.ts';

const refusals: Readonly<Record<WishDoubt, Refusal>> = {
  malformed_id: refused('The id is none of a request that can be aborted.'),
  unknown_node: { kind: 'unknown_node', message: 'The guard knows no such node of that cluster.' },
  not_listed: { kind: 'unknown_query', message: 'The node does not list such a query: it may have ended.' },
  left_out: refused('The node lists that query with something odd about it: there is no telling what would be hit.'),
  no_list: refused('The node gave no good list of its queries within ten seconds.'),
  too_old: refused('The list of the node was too old to act upon.'),
  under_way: refused('An abort of that query is under way already.'),
  paused: refused('The guard is paused: say whilePaused, or --while-paused, to abort all the same.'),
  audit: { kind: 'not_stored', message: 'The audit cannot be written, and nothing is aborted without it.' },
  stopping: refused('The daemon is about to end.'),
  not_restored: refused('What an earlier run left is not read yet: try again in a moment.'),
  not_covered: refused('The node is not covered: it is not certain that its lists are its own.'),
  not_installed: refused('It is no installed query, and nothing else is ever aborted.'),
  unknown_graph: refused('Its graph is none that the cluster is known to have.'),
  // What follows speaks against policies alone; it is here so that no reason can be without words.
  mode: refused('The guard only observes.'),
  unconfirmed: refused('The query is not confirmed.'),
  not_matched: refused('No policy means the query.'),
  protected: refused('The query is protected.'),
  breaker: refused('A breaker is open.'),
  barred: refused('There was an abort of that query before.'),
  budget: refused('No budget is left.'),
  by_hand: refused('An operator aborts that query by hand.'),
};

/** Why an abort by hand is not done, for the operator who asked for it. */
export function wishRefusal(doubt: WishDoubt): Refusal {
  return refusals[doubt];
}

function refused(message: string): Refusal {
  return { kind: 'refused', message };
}
