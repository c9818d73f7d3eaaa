import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';

/** `GET /api/ping`: good when it says `pong`, with `error` as boolean or as word. */
export async function readPing(caller: Caller, signal: AbortSignal): Answer<true> {
  const json = await caller.json('ping', {}, signal);
  if (!json.ok) return json;
  if (json.value.message === 'pong') return ok(true);
  return err(caller.about('ping', failure('body', 'the answer is no pong')));
}

/** `GET /restpp/echo`: any greeting will do. */
export async function readEcho(caller: Caller, signal: AbortSignal): Answer<true> {
  const json = await caller.json('echo', {}, signal);
  return json.ok ? ok(true) : json;
}
