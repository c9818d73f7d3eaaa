import type { AbortOutcome, AbortView } from '../../model/guard.ts';
import type { Situation } from '../../model/situation.ts';
import { lengthOf } from './words.ts';

/** The labels of alerts about one abort. The request and the moment tell it from all others, also of the same query. */
export const abortLabels = ['node', 'graph', 'query', 'policy', 'request_id', 'intent_at'];

/** Each is true from the moment on at which the outcome is the one; the first is so from before the call leaves. */
const states: Readonly<Record<AbortOutcome | 'open', string>> = {
  open: 'is being aborted',
  confirmed: 'was aborted',
  still_running: 'still runs after its abort',
  unknown: 'may still run after its abort',
  finished_first: 'had ended before its abort',
  not_aborted: 'was not aborted',
  vanished: 'is gone after its abort',
  refused: 'was not aborted',
  withdrawn: 'was not aborted',
};

const outcomes: Readonly<Record<AbortOutcome | 'open', string>> = {
  open: 'What comes of it is not known yet',
  confirmed: 'The server named it as aborted, and it is listed no more',
  still_running: 'It is still listed although time enough has passed for it to end',
  unknown: 'The node gives no list by which anybody could tell whether it still runs',
  finished_first: 'The server found nothing to abort, and it is listed no more: it had ended by itself',
  not_aborted: 'The server aborted nothing, and it is still listed',
  vanished: 'It is listed no more; whether the abort did it is not known, since its answer was lost',
  refused: 'The server refused the call',
  withdrawn: 'The call was never sent: a last check before it failed',
};

/** What tells an abort from all others. */
export function labelsOf({ node, graph, query, policy, id, at }: AbortView): Readonly<Record<string, string>> {
  return { node, graph, query, policy, request_id: id, intent_at: new Date(at).toISOString() };
}

/** What there is to say of an abort, as it stands. */
export function factsOf(abort: AbortView): Readonly<Record<string, string>> {
  const { age, at, grantedTimeout, outcome = 'open' } = abort;
  return {
    state: states[outcome],
    outcome: outcomes[outcome],
    age: lengthOf(age),
    granted: grantedTimeout === undefined ? 'an unknown timeout' : `a timeout of ${lengthOf(grantedTimeout)}`,
    decider: deciderOf(abort),
    when: secondOf(at),
    prevention: preventionOf(abort),
  };
}

/** What began before the start is known: until then nothing that was told of the guard is over. */
export function isRestored({ guard }: Situation): boolean {
  return guard?.isRestored !== false;
}

/** A moment to the second, as it stands in logs. */
export function secondOf(wall: number): string {
  return `${new Date(wall).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function deciderOf({ manual, policy }: AbortView): string {
  return manual === undefined ? `the policy ${policy}` : `${manual.by} by hand («${manual.reason}»)`;
}

/** What of the server's own settings would have spared everybody the abort. */
function preventionOf({ age, grantedTimeout, gated }: AbortView): string {
  if (gated === true) {
    return 'A workload queue with a lower maxConcurrentQueries, or maxDelayQueueSize, would have kept the pressure off';
  }
  if (grantedTimeout !== undefined && grantedTimeout <= age) {
    return 'No timeout would have prevented it: it ran past the one that it was granted, and the server did not end it';
  }
  const limit = Math.max(1, Math.floor(age / 1000)) * 1000;
  return `A client that sends the header GSQL-TIMEOUT: ${limit} (in ms) has the server end it by then`;
}
