import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';

/** `GET /api/ping`: succeeds if the reply is `pong`, with `error` as boolean or as word. */
export async function fetchPing(caller: Caller, signal: AbortSignal): Answer<true> {
  const json = await caller.json('ping', {}, signal);
  if (!json.ok) return json;
  if (json.value.message === 'pong') return ok(true);
  return err(caller.withContext('ping', failure('body', 'the response is not that of the ping endpoint')));
}

/** `GET /restpp/echo`: any greeting is accepted. */
export async function fetchEcho(caller: Caller, signal: AbortSignal): Answer<true> {
  const json = await caller.json('echo', {}, signal);
  return json.ok ? ok(true) : json;
}
