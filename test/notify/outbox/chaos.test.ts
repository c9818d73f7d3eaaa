import { describe, expect, it } from 'vitest';
import type { Alert, Notice } from '../../../src/model/alert.ts';
import type { Answer, Letter } from '../../../src/notify/notifier.ts';
import { accepted, broken, Delivering, firing, limited, serverError, unreachable } from '../delivering.ts';

/** A generator of chance that a seed repeats (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const names = ['pager', 'chat', 'level'];
const keys = ['a', 'b', 'c', 'd', 'e'];
const to = names.map((receiver) => ({ receiver, group: {}, groupWait: 0 }));

/** Receivers that fail as chance will have it, and what they took, whatever they answered. */
class Chaos {
  readonly chance: () => number;
  readonly delivering = new Delivering({
    pager: { batch: 1, takesDigests: false },
    chat: { batch: 3, spacing: 1000 },
    level: { batch: 256, takesDigests: false, forgets: true },
  });
  readonly taken = new Map<string, Letter[]>(names.map((name) => [name, []]));
  readonly told = new Set<string>();
  isCalm = false;
  readonly #open = new Map<string, Alert>();
  readonly #episodes = new Map<string, number>();

  constructor(seed: number) {
    this.chance = chanceOf(seed);
    for (const name of names) this.#derange(name);
  }

  async run(steps: number): Promise<void> {
    await this.delivering.begin();
    for (let step = 0; step < steps; step += 1) await this.#step();
    this.isCalm = true;
    for (const key of this.#open.keys().toArray()) await this.#toggle(key);
    await this.delivering.clock.advance(7_200_000);
  }

  async #step(): Promise<void> {
    const dice = this.chance();
    if (dice < 0.5) await this.#toggle(keys[Math.floor(this.chance() * keys.length)] ?? 'a');
    else if (dice < 0.57) await this.delivering.restart();
    else if (dice < 0.6) await this.delivering.clock.advance(this.chance() * 3_600_000);
    else await this.delivering.clock.advance(this.chance() * 20_000);
  }

  async #toggle(key: string): Promise<void> {
    const open = this.#open.get(key);
    if (open === undefined) return this.#begin(key);
    this.#open.delete(key);
    const { wall } = this.delivering.clock.now();
    await this.#tell({ kind: 'resolve', alert: { ...open, status: 'resolved', endsAt: wall }, due: wall });
  }

  async #begin(key: string): Promise<void> {
    const { wall } = this.delivering.clock.now();
    const episode = (this.#episodes.get(key) ?? 0) + 1;
    const alert = { ...firing(key, episode), startsAt: wall };
    this.#episodes.set(key, episode);
    this.#open.set(key, alert);
    this.told.add(`${key} ${episode}`);
    await this.#tell({ kind: 'trigger', alert, again: false, to, due: wall });
  }

  /** A commit, and sometimes the end of the process right after it: what is stored is owed. */
  async #tell(notice: Notice): Promise<void> {
    const { deliverer, store, clock } = this.delivering;
    const plan = deliverer.plan([notice], clock.now());
    await store.commit(plan.changes);
    if (this.chance() < 0.1) return this.delivering.restart();
    plan.release();
    await clock.settle();
  }

  #derange(name: string): void {
    const receiver = this.delivering.get(name);
    receiver.send = async (letter, _detail, _now, signal) => {
      const dice = this.isCalm ? 1 : this.chance();
      const isTaken = dice > 0.45 || (dice > 0.1 && dice < 0.25);
      if (isTaken) this.taken.get(name)?.push(letter);
      if (dice > 0.45) return accepted;
      if (dice > 0.4) return { ...limited, wait: this.chance() * 10_000 };
      if (dice > 0.37) return broken;
      if (dice > 0.22) return this.chance() < 0.5 ? serverError : unreachable;
      await this.delivering.clock.sleep(this.chance() * 40_000, signal);
      const late: Answer = { kind: 'unavailable', answered: false, timedOut: true, message: 'late' };
      return dice < 0.15 ? late : unreachable;
    };
  }
}

/** What a receiver took: in order, one line for each alert. */
function storyOf(letters: readonly Letter[]): readonly string[] {
  return letters.flatMap((letter) =>
    letter.kind === 'alerts' ? letter.alerts.map(({ key, episode, status }) => `${status} ${key} ${episode}`) : [],
  );
}

function endsBeforeBeginnings(story: readonly string[]): readonly string[] {
  const begun = new Set<string>();
  return story.filter((line) => {
    if (line.startsWith('firing')) begun.add(line.slice('firing '.length));
    return line.startsWith('resolved') && !begun.has(line.slice('resolved '.length));
  });
}

/** What was told to have begun, and not at last to have ended. */
function leftOpen(story: readonly string[]): readonly string[] {
  const last = new Map(story.map((line) => [line.replace(/^\w+ /, ''), line.startsWith('firing')]));
  return [...last].filter(([, isOpen]) => isOpen).map(([incident]) => incident);
}

function digested(letters: readonly Letter[]): readonly string[] {
  return letters.flatMap((letter) =>
    letter.kind === 'digest' ? letter.folded.map(({ key, episode }) => `${key} ${episode}`) : [],
  );
}

describe('the oracle', () => {
  it('sees ends before their beginnings, and what is left open', () => {
    const story = [
      'firing a 1',
      'resolved a 1',
      'resolved a 2',
      'firing b 1',
      'firing c 1',
      'resolved c 1',
      'firing c 1',
    ];
    expect(endsBeforeBeginnings(story)).toEqual(['resolved a 2']);
    expect(leftOpen(story)).toEqual(['b 1', 'c 1']);
  });
});

describe('receivers that fail by chance, through restarts', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))('lose nothing, seed %d', async (seed) => {
    const chaos = new Chaos(seed);
    await chaos.run(120);
    for (const name of names) {
      const letters = chaos.taken.get(name) ?? [];
      const story = storyOf(letters);
      expect([name, endsBeforeBeginnings(story)]).toEqual([name, []]);
      expect([name, leftOpen(story)]).toEqual([name, []]);
      const view = chaos.delivering.view(name);
      // Who was broken and is owed nothing since is broken as far as anybody knows.
      expect(view).toMatchObject({ depth: 0, parked: 0, failing: view.result === 'broken' });
    }
    const chat = chaos.taken.get('chat') ?? [];
    const heard = new Set([...digested(chat), ...storyOf(chat).map((line) => line.replace(/^\w+ /, ''))]);
    expect([...chaos.told].filter((incident) => !heard.has(incident))).toEqual([]);
    expect(await chaos.delivering.rows('lanes')).toEqual([]);
  });
});
