import { ok } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Caller } from '../caller.ts';
import type { CallInput, CallName } from '../calls.ts';
import type { Answer } from '../graph-db.ts';

/** `POST /restpp/rebuildnow/{graph}` with the default parameters of the server; it answers when the rebuild has ended. */
export function rebuildGraph(caller: Caller, graph: string, signal: AbortSignal): Answer<Millis> {
  return measure(caller, 'rebuildGraph', { segments: { graph } }, signal);
}

/**
 * `DELETE /gsqlserver/gsql/expiredtoken` without a body, which removes the expired tokens of all users. With users or secrets in a
 * body, the server would remove tokens that are still valid.
 */
export function removeExpiredTokens(caller: Caller, signal: AbortSignal): Answer<Millis> {
  return measure(caller, 'removeExpiredTokens', {}, signal);
}

/** Returns the duration of a call. */
async function measure(caller: Caller, name: CallName, input: CallInput, signal: AbortSignal): Answer<Millis> {
  const started = caller.clock.now().mono;
  const json = await caller.json(name, input, signal);
  return json.ok ? ok(caller.clock.now().mono - started) : json;
}
