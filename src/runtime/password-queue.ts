import type { Clock, Millis } from '../kernel/time.ts';
import type { ComparePassword } from './password-worker.ts';

/** Client that sends a password. */
export interface PasswordSource {
  readonly address: string;
  /** User name as the client states it. */
  readonly user: string;
}

interface WaitingPassword {
  readonly password: string;
  readonly hash: string;
  readonly network: string;
  /** Network and user name. */
  readonly source: string;
  readonly settle: (outcome: Promise<boolean> | 'busy') => void;
}

/** Maximum number of waiting passwords: in total, of one network, and of one user name of a network. */
const maxWaiting = { total: 64, network: 16, source: 4 } as const;
/** After a wrong password, the next comparison waits this many times as long as the last one took. */
const failureDelayFactor = 3;
/** Maximum pause after a wrong password: a hash with an extreme cost must not block all users. */
const maxFailureDelay: Millis = 2_000;
/** Maximum number of networks and user names whose wrong passwords are counted; the oldest are forgotten. */
const maxCounted = 1_000;

/**
 * Queue of password comparisons. It runs one at a time and pauses after each wrong password, so that a flood of wrong
 * passwords uses at most a quarter of a processor. Clients with fewer wrong passwords go first: a flood delays its
 * senders, and another client waits for one comparison and one pause.
 */
export class PasswordQueue {
  readonly #compare: ComparePassword;
  readonly #clock: Clock;
  readonly #waiting: WaitingPassword[] = [];
  /** Wrong passwords by network, and by network and user name. */
  readonly #failures = new Map<string, number>();
  #isRunning = false;

  constructor(compare: ComparePassword, clock: Clock) {
    this.#compare = compare;
    this.#clock = clock;
  }

  /** Returns `busy` if too many comparisons wait. Rejects if the comparison fails. */
  async matches(password: string, hash: string, { address, user }: PasswordSource): Promise<boolean | 'busy'> {
    const network = networkOf(address);
    const { promise, resolve } = Promise.withResolvers<boolean | 'busy'>();
    const arrived = { password, hash, network, source: `${network} ${user}`, settle: resolve };
    if (!this.#makeRoomFor(arrived)) return 'busy';
    this.#waiting.push(arrived);
    void this.#run();
    return await promise;
  }

  /** Makes room in a full queue by rejecting a client with more wrong passwords than this one; returns false if there is none. */
  #makeRoomFor(arrived: WaitingPassword): boolean {
    const isOfNetwork = ({ network }: WaitingPassword): boolean => network === arrived.network;
    const sameSource = this.#waiting.filter(({ source }) => source === arrived.source);
    if (sameSource.length >= maxWaiting.source) return false;
    const sameNetwork = this.#waiting.filter(isOfNetwork);
    const isNetworkFull = sameNetwork.length >= maxWaiting.network;
    if (!isNetworkFull && this.#waiting.length < maxWaiting.total) return true;
    const [last] = (isNetworkFull ? sameNetwork : this.#waiting).toSorted((one, other) => this.#order(other, one));
    if (last === undefined || this.#order(last, arrived) <= 0) return false;
    this.#waiting.splice(this.#waiting.indexOf(last), 1);
    last.settle('busy');
    return true;
  }

  /** Fewer wrong passwords of the network first, then of the user name; otherwise in the order of arrival. */
  #order(one: WaitingPassword, other: WaitingPassword): number {
    const failures = (key: string): number => this.#failures.get(key) ?? 0;
    return failures(one.network) - failures(other.network) || failures(one.source) - failures(other.source);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const [next] = this.#waiting.toSorted((one, other) => this.#order(one, other));
      if (next === undefined) break;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      await this.#compareNext(next);
    }
    this.#isRunning = false;
  }

  async #compareNext({ password, hash, network, source, settle }: WaitingPassword): Promise<void> {
    const started = this.#clock.now().mono;
    const comparison = this.#compare(password, hash);
    settle(comparison);
    const isRight = await comparison.catch(() => undefined);
    if (isRight === undefined) return;
    if (isRight) {
      for (const key of [network, source]) this.#failures.delete(key);
      return;
    }
    this.#count(network);
    this.#count(source);
    const took = this.#clock.now().mono - started;
    await this.#clock.sleep(Math.min(maxFailureDelay, took * failureDelayFactor));
  }

  #count(key: string): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.delete(key);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= maxCounted && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(key, failures);
  }
}

/** Returns the network of a client: its IPv4 address, or the first 64 bits of its IPv6 address, which one client owns. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('::');
  return head.split(':').slice(0, 4).join(':');
}
