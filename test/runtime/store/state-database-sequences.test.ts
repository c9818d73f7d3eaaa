import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { StateDatabase } from '../../../src/runtime/store/state-database.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';

type Event =
  | { readonly kind: 'put'; readonly id: string; readonly text: string }
  | { readonly kind: 'drop'; readonly id: string }
  | { readonly kind: 'lose' | 'give back' | 'restart' };

const id = fc.constantFrom('1', '2', '3', '4');
const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), id, text: fc.string({ maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), id }) },
  { weight: 3, arbitrary: fc.constantFrom<Event>({ kind: 'lose' }, { kind: 'give back' }, { kind: 'restart' }) },
);

/** State database, its expected content, and a disk that fails and recovers. */
class Story {
  readonly #top = mkdtempSync(join(tmpdir(), 'graphwarden-story-'));
  readonly #folder = join(this.#top, 'state');
  readonly #expected = new Map<string, string>();
  #keeper = this.#open();
  #lost = false;

  happen(event: Event): void {
    if (event.kind === 'put') this.#put(event.id, event.text);
    else if (event.kind === 'drop') this.#drop(event.id);
    else if (event.kind === 'lose') this.#lose();
    else if (event.kind === 'give back') this.#giveBack();
    else this.#restart();
  }

  /** Notes in the database, and the expected ones. */
  get notes(): { readonly known: unknown; readonly expected: unknown } {
    const known = this.#keeper.find({ table: 'notes', order: ['id'] }).map(({ id: key, text }) => [key, text]);
    return { known, expected: [...this.#expected].toSorted(([a], [b]) => (a < b ? -1 : 1)) };
  }

  finish(): void {
    this.#giveBack();
    this.#restart();
  }

  remove(): void {
    this.#keeper.close();
    rmSync(this.#top, { recursive: true });
  }

  #put(key: string, text: string): void {
    this.#expected.set(key, text);
    this.#commit(note(key, text));
  }

  #drop(key: string): void {
    this.#expected.delete(key);
    this.#commit({ table: 'notes', drop: { id: key } });
  }

  #commit(change: StoreChange): void {
    // On disk exactly when there is one: what it says of itself is what it does.
    expect(this.#keeper.commit([[change]], 0).map(({ ok }) => ok)).toEqual([!this.#lost]);
    expect(this.#keeper.status.durable).toBe(!this.#lost);
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    renameSync(this.#folder, `${this.#folder}.away`);
    writeFileSync(this.#folder, 'no folder');
  }

  #giveBack(): void {
    if (!this.#lost) return;
    this.#lost = false;
    rmSync(this.#folder);
    renameSync(`${this.#folder}.away`, this.#folder);
  }

  /** Without its disk it would forget by right. */
  #restart(): void {
    if (this.#lost) return;
    this.#keeper.close();
    this.#keeper = this.#open();
  }

  #open(): StateDatabase {
    const options = { folder: this.#folder, retention: generous, steps: [noteTables], retryAfter: 0, trimAfter: 0 };
    const opened = StateDatabase.open(options);
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }
}

describe('a state database whose disk fails and recovers', () => {
  it('contains the committed rows at every step and after a restart', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 25 }), (all) => {
        const story = new Story();
        for (const one of all) {
          story.happen(one);
          const { known, expected } = story.notes;
          expect(known).toEqual(expected);
        }
        story.finish();
        const { known, expected } = story.notes;
        expect(known).toEqual(expected);
        story.remove();
      }),
      { numRuns: numberOfRuns({ short: 20, campaign: 120 }) },
    );
  });
});
