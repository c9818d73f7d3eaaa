import { formatElapsed } from '../../kernel/duration.ts';
import { formatMoment, formatTimestamp } from '../../kernel/timestamp.ts';
import type { AbortOutcome, AbortView } from '../../model/guard.ts';
import type { Situation } from '../../model/situation.ts';

/**
 * The labels of alerts about one abort. Request ID and time of the first intent distinguish it from other aborts of the
 * same query; a further attempt after one that was not sent is the same abort.
 */
export const abortLabels = ['node', 'graph', 'query', 'policy', 'request_id', 'intent_at'];

/** State of the query by the outcome; `open` applies from the intent on, before the abort request is sent. */
const stateTexts: Readonly<Record<AbortOutcome | 'open', string>> = {
  open: 'is being aborted',
  confirmed: 'was aborted',
  still_running: 'still runs after its abort',
  unknown: 'may still run after its abort',
  finished_first: 'had ended before its abort',
  not_aborted: 'was not aborted',
  vanished: 'is gone after its abort',
  refused: 'was not aborted',
  withdrawn: 'was not aborted',
  not_sent: 'is not aborted yet',
};

const outcomeTexts: Readonly<Record<AbortOutcome | 'open', string>> = {
  open: 'The result is not known yet',
  confirmed: 'The server confirmed the abort, and the query is no longer listed',
  still_running: 'The query is still listed although enough time has passed for it to end',
  unknown: 'The node returns no usable list, so it is not known whether the query still runs',
  finished_first: 'The server found nothing to abort, and the query is no longer listed: it had ended by itself',
  not_aborted: 'The server aborted nothing, and the query is still listed',
  vanished: 'The query is no longer listed; whether the abort ended it is not known, because the response was lost',
  refused: 'The server rejected the request',
  withdrawn: 'The abort request was not sent, because a last check before it failed',
  not_sent: 'The abort request could not be sent; the guard tries again while the query matches',
};

/** Returns the labels that identify an abort. */
export function abortLabelsOf(abort: AbortView): Readonly<Record<string, string>> {
  const { node, graph, query, policy, id, at, firstAt = at } = abort;
  return { node, graph, query, policy, request_id: id, intent_at: formatTimestamp(firstAt) };
}

/** Returns the template values of an abort. */
export function abortFactsOf(abort: AbortView): Readonly<Record<string, string>> {
  const { age, at, grantedTimeout, outcome = 'open' } = abort;
  return {
    state: stateTexts[outcome],
    outcome: outcomeTexts[outcome],
    age: formatElapsed(age),
    granted: grantedTimeout === undefined ? 'an unknown timeout' : `a timeout of ${formatElapsed(grantedTimeout)}`,
    decider: describeDecider(abort),
    when: formatMoment(at),
    prevention: describePrevention(abort),
    retry: outcome === 'not_sent' ? 'graphwarden tries again from fresh lists' : 'graphwarden does not retry the abort',
  };
}

/** Returns the present result of the abort with these labels, for the text of its resolve. */
export function currentOutcome(
  { guard }: Pick<Situation, 'guard'>,
  identity: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const abort = guard?.aborts.find((one) =>
    Object.entries(abortLabelsOf(one)).every(([name, value]) => identity[name] === value),
  );
  return abort === undefined ? {} : { outcome: outcomeTexts[abort.outcome ?? 'open'] };
}

/** Returns whether the guard has restored its stored aborts. Until then no alert about the guard resolves. */
export function isGuardRestored({ guard }: Situation): boolean {
  return guard?.isRestored !== false;
}

function describeDecider({ manual, policy }: AbortView): string {
  return manual === undefined ? `the policy ${policy}` : `the operator ${manual.by} («${manual.reason}»)`;
}

/** Names the server setting that would have prevented the abort. */
function describePrevention({ age, grantedTimeout, gated }: AbortView): string {
  if (gated === true) {
    return 'A workload queue with a lower maxConcurrentQueries, or maxDelayQueueSize, would have kept the pressure off';
  }
  if (grantedTimeout !== undefined && grantedTimeout <= age) {
    return 'No timeout would have prevented the abort: the server did not end the query at its granted timeout';
  }
  const limit = Math.max(1, Math.floor(age / 1000)) * 1000;
  return `A client that sends the header GSQL-TIMEOUT: ${limit} (in ms) has the server end it by then`;
}
