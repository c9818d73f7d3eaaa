import type { Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import { type AlertingState, nothingKnown } from './episode.ts';
import { episodeOf, lastNumberOf, silenceOf, tables } from './episode-rows.ts';

/**
 * What alerting knew when it was stored last. What fired then fires still: nobody is told again, and before it ends
 * its rule looks again. What was pending begins anew. Rows that cannot be read are left out.
 */
export async function restoreAlerting(store: Store, now: Instant): Promise<AlertingState> {
  const [episodes, counters, silences] = await Promise.all([
    store.find({ table: tables.episodes }),
    store.find({ table: tables.counters }),
    store.find({ table: tables.silences }),
  ]);
  const fired = episodes.ok ? episodes.value.flatMap((row) => episodeOf(row, now) ?? []) : [];
  const numbers = counters.ok ? counters.value.map(lastNumberOf) : [];
  const quiet = silences.ok ? silences.value.flatMap((row) => silenceOf(row) ?? []) : [];
  return {
    ...nothingKnown,
    episodes: new Map(fired.map((episode) => [episode.place, episode])),
    silences: new Map(quiet.map((silence) => [silence.id, silence])),
    lastNumber: Math.max(0, ...numbers, ...fired.map(({ number }) => number)),
  };
}
