import type { Sample } from '../metric/metric.ts';

/**
 * Reasons why an entry of an answer is not exposed. Closed, because it is a label value. `unconfirmed`: it appeared in one
 * answer only.
 */
export const implausibleReasons = ['partition', 'replica', 'service', 'host', 'endpoint', 'unconfirmed'] as const;

/** One of {@link implausibleReasons}. */
export type ImplausibleReason = (typeof implausibleReasons)[number];

type Labels = Readonly<Record<string, string>>;

/** Labels whose values name something that a server reports, as opposed to a closed set of values. */
const identityLabels = [
  'host_id',
  'mount_point',
  'path',
  'path_name',
  'service_name',
  'partition',
  'replica',
  'engine',
  'queue',
  'graph',
  'method',
  'query',
  'component',
  'version',
  'commit',
] as const;

/** Maximum number of identities that are remembered for one collector and node; further ones are exposed without confirmation. */
const maxIdentities = 100_000;

/** Maximum number of identities that wait for a second answer over several partial answers. */
const maxWaiting = 10_000;

/**
 * Decides which entries of the answers of one collector and node are plausible. An entry whose identity cannot exist is
 * never exposed. A new identity is exposed from its second answer on, except for those of the first answer: one garbled
 * answer creates no series and no service instance.
 */
export class IdentityCheck {
  readonly #counts = new Map<ImplausibleReason, number>();
  readonly #isInBound: (number: string) => boolean;
  #known: Set<string> | undefined;
  /** Identities that appeared for the first time in the answer before this one, or before partial answers. */
  #pending = new Set<string>();
  /** Whether this answer is complete: identities that a partial answer lacks may exist all the same. */
  #isComplete = true;
  /** Identities that appear for the first time in this answer. */
  #added = new Set<string>();
  #rejected = new Map<string, ImplausibleReason>();
  /** Labels of the samples that passed last, in their order. What was accepted once is accepted in all later answers. */
  readonly #passed: Labels[] = [];

  /** @param isInBound returns whether a partition or replica number is at most the configured bound. */
  constructor(isInBound: (number: string) => boolean) {
    this.#isInBound = isInBound;
  }

  /** Starts the next answer and counts the identities that its predecessors reported only once, besides `unconfirmedSeries`. */
  startAnswer({ isComplete = true, unconfirmedSeries = 0 } = {}): void {
    const isKept = !this.#isComplete && this.#pending.size + this.#added.size <= maxWaiting;
    this.#count('unconfirmed', unconfirmedSeries + (isKept ? 0 : this.#pending.size));
    if (this.#isFirst && this.#added.size > 0) this.#known = this.#added;
    else this.#pending = isKept ? new Set([...this.#pending, ...this.#added]) : this.#added;
    this.#added = new Set();
    this.#rejected = new Map();
    this.#isComplete = isComplete;
  }

  /** Returns whether an entry with these labels is exposed; the same for all entries of one identity in an answer. */
  accepts(labels: Labels): boolean {
    const key = identityKey(labels);
    if (key === '' || this.#known?.has(key) === true || (this.#isFirst && this.#added.has(key))) return true;
    if (this.#rejected.has(key)) return false;
    const reason = problemOf(labels, this.#isInBound);
    if (reason !== undefined) {
      this.#rejected.set(key, reason);
      this.#count(reason, 1);
      return false;
    }
    return this.#confirm(key);
  }

  /** Yields the samples whose identity is plausible. Order and labels of long lists hardly ever change between answers. */
  *pass(samples: Iterable<Sample>): Generator<Sample> {
    let at = 0;
    for (const sample of samples) {
      const { labels } = sample;
      if (!isSameIdentity(labels, this.#passed[at])) {
        if (!this.accepts(labels)) continue;
        this.#passed[at] = labels;
      }
      at += 1;
      yield sample;
    }
    this.#passed.length = at;
  }

  /** Number of entries that were not exposed, by reason. */
  get counts(): ReadonlyMap<ImplausibleReason, number> {
    return this.#counts;
  }

  /** Problems of this answer, for the log; `''` without any. */
  get problem(): string {
    return [...new Set(this.#rejected.values())].toSorted().join(', ');
  }

  get #isFirst(): boolean {
    return this.#known === undefined;
  }

  #confirm(key: string): boolean {
    if (this.#isFirst) {
      this.#added.add(key);
      return true;
    }
    if (this.#pending.delete(key) || (this.#known?.size ?? 0) >= maxIdentities) {
      this.#known?.add(key);
      return true;
    }
    this.#added.add(key);
    return false;
  }

  #count(reason: ImplausibleReason, more: number): void {
    if (more > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + more);
  }
}

/** Returns whether all labels are the same. It allocates no objects, because it compares 100,000 label sets. */
function isSameIdentity(one: Labels, other: Labels | undefined): boolean {
  if (other === undefined) return false;
  for (const label in one) if (one[label] !== other[label]) return false;
  for (const label in other) if (one[label] === undefined) return false;
  return true;
}

/** An empty label, such as the graph of a garbled path, is an identity as well. */
function identityKey(labels: Labels): string {
  let key = '';
  for (const label of identityLabels) {
    const value = labels[label];
    if (value !== undefined) key += `${label}\0${value}\0`;
  }
  return key;
}

/** Names that a server gives to services and hosts. */
const namePattern = /^[A-Za-z0-9][\w.:-]{0,252}$/;
const methodPattern = /^[A-Z]{3,10}$/;
const pathPattern = /^\/\S*$/;

function problemOf(labels: Labels, isInBound: (number: string) => boolean): ImplausibleReason | undefined {
  const { partition = '', replica = '', service_name: service = '', host_id: host = '', method } = labels;
  if (!isNumber(partition, isInBound)) return 'partition';
  if (!isNumber(replica, isInBound)) return 'replica';
  if (service !== '' && !namePattern.test(service)) return 'service';
  if (host !== '' && !namePattern.test(host)) return 'host';
  const isEndpoint = method === undefined || (methodPattern.test(method) && pathPattern.test(labels.path ?? ''));
  return isEndpoint ? undefined : 'endpoint';
}

function isNumber(text: string, isInBound: (number: string) => boolean): boolean {
  return text === '' || (/^[1-9]\d{0,8}$/.test(text) && isInBound(text));
}
