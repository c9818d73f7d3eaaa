import type { Instant } from '../../kernel/time.ts';
import type { Answer, Detail, Letter } from '../notifier.ts';
import type { Episode } from './episode.ts';
import { type Folded, foldedSince, withFolded } from './folded.ts';

const worse = { full: 'short', short: 'minimal', minimal: undefined } as const;

/** What one receiver has missed, until it was told so in a digest. */
export class Missed {
  #folded: Folded;
  /** When it may be said, monotonic: what is told in groups is missed in groups. */
  #from = Number.NEGATIVE_INFINITY;
  #detail: Detail = 'full';

  constructor(folded: Folded) {
    this.#folded = folded;
  }

  get folded(): Folded {
    return this.#folded;
  }

  get detail(): Detail {
    return this.#detail;
  }

  /** When a digest is due, monotonic; undefined where nothing was missed. */
  get dueAt(): number | undefined {
    return this.#folded.count > 0 ? this.#from : undefined;
  }

  /** These began and ended unsent. */
  add(episodes: readonly Episode[], now: Instant): void {
    if (this.#folded.count === 0) this.#from = now.mono + Math.max(0, ...episodes.map(({ groupWait }) => groupWait));
    this.#folded = episodes.reduce(withFolded, this.#folded);
  }

  /** The digest as of now. `since` is when the receiver went away, if it did. */
  letter(open: number, since: number | undefined): Letter {
    const { newest, count } = this.#folded;
    return { kind: 'digest', folded: newest, count, open, ...(since === undefined ? {} : { since }) };
  }

  /** Takes the answer to a digest of `told`; true when it is done with, well (`accepted`) or badly. */
  settle(told: Folded, answer: Answer): boolean {
    const detail = answer.kind === 'refused' ? worse[this.#detail] : this.#detail;
    if (answer.kind !== 'accepted' && detail !== undefined) {
      this.#detail = detail;
      return false;
    }
    this.#folded = foldedSince(this.#folded, told);
    this.#detail = 'full';
    return true;
  }
}
