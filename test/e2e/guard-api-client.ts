import { z } from 'zod';
import { readJson, send } from '../support/http.ts';
import type { GuardEnvironment } from './guard-environment.ts';

const decisions = z.object({ items: z.array(z.object({ outcome: z.string().nullable(), id: z.string() })) });
const breakerStates = z.object({ breakers: z.array(z.object({ key: z.string(), reason: z.string() })) });
const alerts = z.object({ items: z.array(z.object({ rule: z.string(), phase: z.string() })) });

/** What came of the decisions so far, the latest first; null where that is open, or there was nothing to come of. */
export async function outcomesOf({ daemon }: GuardEnvironment): Promise<readonly (string | null)[]> {
  const { items } = decisions.parse(await readJson(`${daemon().url}/api/v1/guard/decisions`));
  return items.map(({ outcome }) => outcome);
}

/** Resets every open circuit breaker, as an operator does, and returns the reasons for which they were open. */
export async function resetBreakers({ daemon, clock }: GuardEnvironment): Promise<readonly string[]> {
  const { breakers } = breakerStates.parse(await readJson(`${daemon().url}/api/v1/guard`));
  for (const { key } of breakers) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ cluster: 'prod', breaker: key });
    const order = { method: 'POST', headers, body };
    const { status } = await clock.through(send(`${daemon().url}/api/v1/guard/breakers/reset`, order));
    if (status !== 200) throw new Error(`the circuit breaker ${key} was not reset: ${status}`);
  }
  return breakers.map(({ reason }) => reason);
}

/** Returns the names of the rules that fire now. */
export async function firing({ daemon }: GuardEnvironment): Promise<readonly string[]> {
  const { items } = alerts.parse(await readJson(`${daemon().url}/api/v1/alerts?limit=1000`));
  return items.filter(({ phase }) => phase === 'firing').map(({ rule }) => rule);
}
