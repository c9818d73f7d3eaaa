import type { GuardOutput } from '../guard/decision/output.ts';
import type { Logger } from '../kernel/logger.ts';

type Of<Kind extends GuardOutput['kind']> = Extract<GuardOutput, { readonly kind: Kind }>;

/** Writes down what a step of the guard has told, where somebody who reads along wants to know. Nothing is user data. */
export function logGuard(log: Logger, output: GuardOutput): void {
  if (output.kind === 'began') logBeginning(log, output);
  else if (output.kind === 'would_abort') {
    const { policy, node, intent } = output;
    log.info('a policy that observes would abort a query', { policy, node, id: intent.id, query: intent.query });
  } else if (output.kind === 'abort') {
    const { policy, order } = output;
    log.warn('a query is aborted', { policy, node: order.node, id: order.id, graph: order.graph });
  } else if (output.kind === 'cancelled') {
    const { policy, node, key, doubt } = output;
    log.info('a query is let go', { policy, node, key, doubt });
  } else if (output.kind === 'late') {
    const { policy, node, key, reason } = output;
    log.warn('an abort is held up', { policy, node, key, reason });
  } else if (output.kind === 'outcome') logOutcome(log, output);
  else logState(log, output);
}

function logBeginning(log: Logger, { policy, node, decision }: Of<'began'>): void {
  const { id, graph, query } = decision.target;
  log.info('a query matches a policy', { policy, mode: decision.mode, node, id, graph, query });
}

function logOutcome(log: Logger, { policy, node, key, outcome, doubt, pages }: Of<'outcome'>): void {
  const fields = { policy, node, key, outcome, ...(doubt === undefined ? {} : { doubt }) };
  if (pages) log.error('an abort did not end its query', fields);
  else log.info('an abort has its outcome', fields);
}

function logState(log: Logger, output: GuardOutput): void {
  if (output.kind === 'breaker') {
    const { breaker, isOpen } = output;
    if (isOpen) log.error('a breaker opens: no such query is aborted until an operator resets it', { breaker });
    else log.warn('a breaker is reset', { breaker });
  } else if (output.kind === 'blind') {
    const { node, isBlind } = output;
    if (isBlind) log.warn('the guard is blind on a node: three lists in a row say nothing', { node });
    else log.info('the guard sees a node again', { node });
  } else if (output.kind === 'covered') {
    const { node, isCovered } = output;
    if (isCovered) log.info('the guard covers a node', { node });
    else log.warn('the guard does not cover a node any more', { node });
  } else if (output.kind === 'void' && output.scope === 'all') {
    log.warn('our own clock was set: all that the guard has seen is void', {});
  } else if (output.kind === 'pause') {
    log.error('the guard pauses: a server named a query that nobody asked to abort', {});
  }
}
