import type { GuardOutput } from '../decision/output.ts';
import type { TapeEvent } from './format.ts';

/** What a replay says of the lists of one node. */
export interface NodeNote {
  readonly node: string;
  /** That came, good and void. */
  readonly lists: number;
  readonly failed: number;
  /** Lists that said nothing, by reason. */
  readonly voids: Readonly<Record<string, number>>;
  /** Entries that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** When the guard first knew for sure which instance the node is, ms since the epoch; undefined where it never did. */
  readonly coveredAt?: number;
}

/** Counts what lists were good for. */
export class NodeNotes {
  readonly #notes: Map<string, NodeNote>;
  #at = 0;

  constructor(nodes: readonly string[]) {
    this.#notes = new Map(nodes.map((node) => [node, { node, lists: 0, failed: 0, voids: {}, leftOut: {} }]));
  }

  get all(): readonly NodeNote[] {
    return [...this.#notes.values()];
  }

  /** A line of the recording is about to be judged. */
  heard(event: TapeEvent): void {
    this.#at = event.at.wall;
    if (event.event === 'listed') this.#change(event.node, ({ lists }) => ({ lists: lists + 1 }));
    if (event.event === 'unlisted') this.#change(event.node, ({ failed }) => ({ failed: failed + 1 }));
  }

  /** What the guard says of lists and nodes; anything else is passed over. */
  told(output: GuardOutput): void {
    if (output.kind === 'covered' && output.isCovered) {
      this.#change(output.node, ({ coveredAt = this.#at }) => ({ coveredAt }));
    }
    if (output.kind !== 'void' || output.scope === 'all') return;
    const { node, reason, scope } = output;
    if (scope === 'entry') this.#change(node, ({ leftOut }) => ({ leftOut: increased(leftOut, reason) }));
    else if (reason !== 'failed') this.#change(node, ({ voids }) => ({ voids: increased(voids, reason) }));
  }

  #change(node: string, news: (note: NodeNote) => Partial<NodeNote>): void {
    const note = this.#notes.get(node);
    if (note !== undefined) this.#notes.set(node, { ...note, ...news(note) });
  }
}

function increased(counts: Readonly<Record<string, number>>, reason: string): Readonly<Record<string, number>> {
  return { ...counts, [reason]: (counts[reason] ?? 0) + 1 };
}
