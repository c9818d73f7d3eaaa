import { z } from 'zod';
import { readJson } from '../support/http.ts';
import type { GuardEnvironment } from './guard-environment.ts';

const decisions = z.object({ items: z.array(z.object({ outcome: z.string().nullable(), id: z.string() })) });
const alerts = z.object({ items: z.array(z.object({ rule: z.string(), phase: z.string() })) });

/** What came of the decisions so far, the latest first; null where that is open, or there was nothing to come of. */
export async function outcomesOf({ daemon }: GuardEnvironment): Promise<readonly (string | null)[]> {
  const { items } = decisions.parse(await readJson(`${daemon().url}/api/v1/guard/decisions`));
  return items.map(({ outcome }) => outcome);
}

/** Returns the names of the rules that fire now. */
export async function firing({ daemon }: GuardEnvironment): Promise<readonly string[]> {
  const { items } = alerts.parse(await readJson(`${daemon().url}/api/v1/alerts?limit=1000`));
  return items.filter(({ phase }) => phase === 'firing').map(({ rule }) => rule);
}
