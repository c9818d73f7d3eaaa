import type { TargetReference } from '../../guard/decision/decision.ts';
import type { GuardOutput } from '../../guard/decision/output.ts';
import type { LogFields, Logger } from '../../kernel/logger.ts';

type OutputOf<Kind extends GuardOutput['kind']> = Extract<GuardOutput, { readonly kind: Kind }>;

/** Logs the outputs of a step that an operator follows. The fields hold no user data. */
export function logGuardOutput(log: Logger, output: GuardOutput): void {
  if (output.kind === 'began') logStarted(log, output);
  else if (output.kind === 'would_abort') {
    const { policy, node, intent } = output;
    log.info('query would be aborted', { policy, node, id: intent.id, query: intent.query });
  } else if (output.kind === 'sent') {
    log.warn('abort request sent', targetFields(output));
  } else if (output.kind === 'cancelled') {
    log.info('decision cancelled', { ...targetFields(output), reason: output.skipReason });
  } else if (output.kind === 'late') {
    log.warn('decision delayed', { ...targetFields(output), reason: output.reason });
  } else if (output.kind === 'outcome') logOutcome(log, output);
  else logState(log, output);
}

function logStarted(log: Logger, { policy, node, decision }: OutputOf<'began'>): void {
  const { id, graph, query } = decision.target;
  log.info('query matched', { policy, mode: decision.mode, node, id, graph, query });
}

/** The graph of a manual abort is unknown until its query is listed. */
function targetFields({ policy, node, id, graph }: TargetReference): LogFields {
  return { policy, node, id, ...(graph === '' ? {} : { graph }) };
}

function logOutcome(log: Logger, output: OutputOf<'outcome'>): void {
  const { outcome, skipReason, pages } = output;
  const fields = { ...targetFields(output), outcome, ...(skipReason === undefined ? {} : { reason: skipReason }) };
  if (pages) log.error('query still running after abort', fields);
  else log.info('abort finished', fields);
}

function logState(log: Logger, output: GuardOutput): void {
  if (output.kind === 'breaker') {
    const { breaker, isOpen } = output;
    if (isOpen) log.error('circuit breaker opened', { breaker });
    else log.warn('circuit breaker reset', { breaker });
  } else if (output.kind === 'blind') {
    const { node, isBlind } = output;
    if (isBlind) log.warn('no usable process list', { node });
    else log.info('process list usable again', { node });
  } else if (output.kind === 'covered') {
    const { node, isCovered } = output;
    if (isCovered) log.info('node covered', { node });
    else log.warn('node no longer covered', { node });
  } else if (output.kind === 'skipped' && output.scope === 'all') {
    log.warn('local clock was set, observations discarded', {});
  } else if (output.kind === 'pause') {
    log.error('guard paused itself', { reason: output.reason });
  }
}
