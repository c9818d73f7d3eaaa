import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../../src/kernel/store.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abortOutcomes, queryEndedOutcomes } from '../../../src/model/guard.ts';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { StateDatabase } from '../../../src/runtime/store/state-database.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { intent, outcome } from './intents.ts';
import { generous } from './retention.ts';

type Event =
  | { readonly kind: 'intent' }
  | { readonly kind: 'end'; readonly of: number; readonly outcome: AbortOutcome }
  | { readonly kind: 'lose' | 'give back' | 'restart' };

const ending = fc.record({
  kind: fc.constant('end' as const),
  of: fc.nat({ max: 8 }),
  outcome: fc.constantFrom(...abortOutcomes),
});
const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Event>({ kind: 'intent' }) },
  { weight: 5, arbitrary: ending },
  { weight: 3, arbitrary: fc.constantFrom<Event>({ kind: 'lose' }, { kind: 'give back' }, { kind: 'restart' }) },
);

/** Every event takes a second, and rows that may go are kept for these. */
const keptFor = 6000;

/** Expected rows of an intent. */
interface Known {
  readonly at: number;
  readonly outcome: AbortOutcome | null;
  /** The disk has it as open: it ended while that was away. */
  readonly isOpenOnDisk: boolean;
}

/** Audit database, its expected content, and a disk that fails and recovers. */
class Story {
  readonly #top = mkdtempSync(join(tmpdir(), 'graphwarden-audit-'));
  readonly #folder = join(this.#top, 'state');
  #expected = new Map<number, Known>();
  /** What ended and went while the disk was away: there it still is, and bars. */
  readonly #away = new Map<number, Known>();
  #keeper = this.#open();
  #isLost = false;
  #now = 1_000_000;
  #serial = 0;

  happen(event: Event): void {
    this.#now += 1000;
    if (event.kind === 'intent') this.#begin();
    else if (event.kind === 'end') this.#end(event.of, event.outcome);
    else if (event.kind === 'lose') this.#lose();
    else if (event.kind === 'give back') this.#giveBack();
    else this.#restart();
    this.#keeper.commit([[]], this.#now);
    this.#age();
  }

  #age(): void {
    for (const [serial, known] of this.#expected) {
      const { at, outcome: word, isOpenOnDisk } = known;
      if (at >= this.#now - keptFor || word === null || !(word === 'not_sent' || queryEndedOutcomes.includes(word)))
        continue;
      this.#expected.delete(serial);
      if (isOpenOnDisk) this.#away.set(serial, { ...known, outcome: null });
    }
  }

  get audit(): { readonly known: unknown; readonly expected: unknown } {
    const rows = this.#keeper.find({ table: 'guard_aborts', order: ['at'] });
    const known = rows.map(({ id, at, outcome: word }) => [Number.parseInt(String(id), 10), { at, outcome: word }]);
    const expected = [...this.#expected].map(([serial, { at, outcome: word }]) => [serial, { at, outcome: word }]);
    return { known, expected };
  }

  /** No outcome is left of an intent that went. */
  get strays(): number {
    return this.#keeper.count({ table: 'guard_outcomes' }) - this.#ended().length;
  }

  finish(): void {
    this.happen({ kind: 'give back' });
    this.happen({ kind: 'restart' });
  }

  remove(): void {
    this.#keeper.close();
    rmSync(this.#top, { recursive: true });
  }

  #ended(): readonly Known[] {
    return [...this.#expected.values()].filter((one) => one.outcome !== null);
  }

  #begin(): void {
    this.#serial += 1;
    this.#commit(intent(this.#serial, this.#now), true);
    this.#expected.set(this.#serial, { at: this.#now, outcome: null, isOpenOnDisk: !this.#isLost });
    this.#commit(intent(this.#serial, 0), false);
  }

  #end(of: number, word: AbortOutcome): void {
    const [serial, known] = [...this.#expected][of] ?? [];
    if (serial === undefined || known === undefined) return;
    this.#commit(outcome(serial, word, this.#now), known.outcome === null);
    if (known.outcome !== null) return;
    this.#expected.set(serial, { ...known, outcome: word, isOpenOnDisk: known.isOpenOnDisk && this.#isLost });
  }

  /** On disk exactly when there is one, and not there already. */
  #commit(change: StoreChange, isNew: boolean): void {
    expect(this.#keeper.commit([[change]], this.#now - 1000).map(({ ok }) => ok)).toEqual([!this.#isLost && isNew]);
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    renameSync(this.#folder, `${this.#folder}.away`);
    writeFileSync(this.#folder, 'no folder');
  }

  #giveBack(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    rmSync(this.#folder);
    renameSync(`${this.#folder}.away`, this.#folder);
    const all = [...this.#expected, ...this.#away].toSorted(([one], [other]) => one - other);
    this.#expected = new Map(all.map(([serial, one]) => [serial, { ...one, isOpenOnDisk: one.outcome === null }]));
    this.#away.clear();
  }

  /** Without its disk it would forget by right. */
  #restart(): void {
    if (this.#isLost) return;
    this.#keeper.close();
    this.#keeper = this.#open();
  }

  #open(): StateDatabase {
    const retention = { ...generous, audit: keptFor };
    const opened = StateDatabase.open({
      folder: this.#folder,
      retention,
      steps: migrations,
      retryAfter: 0,
      trimAfter: 0,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }
}

describe('the audit on a disk that fails and recovers', () => {
  it('contains the first row of each key at every step and after a restart, except expired rows that bar no query', () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 5, maxLength: 30 }), (all) => {
        const story = new Story();
        for (const one of all) {
          story.happen(one);
          const { known, expected } = story.audit;
          expect(known).toEqual(expected);
          expect(story.strays).toBe(0);
        }
        story.finish();
        const { known, expected } = story.audit;
        expect(known).toEqual(expected);
        story.remove();
      }),
      { numRuns: numberOfRuns({ short: 15, campaign: 80 }) },
    );
  });
});
