import { waitAtMost } from '../../kernel/deadline.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Dns } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { DiscoverSettings, NodeSettings } from '../../model/settings.ts';

/** Timeout of a lookup: a resolver that never answers must not stop discovery. */
const lookupTimeout: Millis = 10_000;

/** Looks up the nodes of a cluster until it is stopped. */
export interface Discovery {
  stop(): void;
  /** Resolves when the first lookup has ended and its result is applied. */
  readonly firstRound: Promise<void>;
}

interface DiscoveryOptions {
  readonly clock: Clock;
  readonly dns: Dns;
  readonly log: Logger;
  /** Called with the current nodes; not called after a failed lookup. */
  readonly onNodes: (nodes: readonly NodeSettings[]) => Promise<void>;
}

/** Starts discovery. A failure or an empty answer keeps the known nodes. */
export function discover(settings: DiscoverSettings, options: DiscoveryOptions): Discovery {
  const { clock, log, onNodes } = options;
  const stopped = new AbortController();
  let problem = '';
  const firstRound = round();
  void firstRound.then(loop);
  return { stop: () => stopped.abort(), firstRound };

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleep(settings.refreshInterval, stopped.signal);
      if (!stopped.signal.aborted) await round();
    }
  }

  async function round(): Promise<void> {
    const found = await waitAtMost(clock, lookupTimeout, lookUp(settings, options.dns), stopped.signal);
    const answer = found ?? err('the name server did not respond in time');
    if (stopped.signal.aborted) return;
    note(answer.ok ? '' : answer.error);
    if (answer.ok) await onNodes(answer.value);
  }

  function note(current: string): void {
    if (current === problem) return;
    if (current === '') log.info('discovery recovered', { name: settings.name });
    else log.warn('discovery failed', { name: settings.name, error: current });
    problem = current;
  }
}

/** Looks the nodes up once; an empty answer and invalid host names are errors. */
export async function lookUp(settings: DiscoverSettings, dns: Dns): Promise<Result<readonly NodeSettings[], string>> {
  const found = settings.kind === 'srv' ? await lookUpServices(settings, dns) : await lookUpHosts(settings, dns);
  if (!found.ok) return found;
  if (found.value.length === 0) return err(`'${settings.name}' resolves to no address`);
  return found.value.every(isReachable) ? found : err(`'${settings.name}' resolves to an invalid host name`);
}

/** Returns whether a record is a valid host and port: a name server may return anything. */
function isReachable({ url }: NodeSettings): boolean {
  return /^https?:\/\/(?:\w[\w.-]*|\[[\dA-Fa-f:.]+\]):\d+$/.test(url) && URL.canParse(url);
}

async function lookUpServices(
  { name, scheme }: DiscoverSettings & { readonly kind: 'srv' },
  dns: Dns,
): Promise<Result<readonly NodeSettings[], string>> {
  const records = await dns.srv(name);
  if (!records.ok) return records;
  const named = records.value.map((record) => ({ host: record.name.replace(/\.$/, ''), port: record.port }));
  // The root as the only target means that the service does not exist (RFC 2782).
  const targets = named.filter(({ host }) => host !== '');
  const short = targets.map(({ host }) => host.split('.')[0] ?? host);
  // Two targets with the same first label are named by their full names.
  const nodes = targets.map(({ host, port }, at) => {
    const label = short[at] ?? host;
    const unique = short.indexOf(label) === short.lastIndexOf(label);
    return { name: unique ? label : `${host}:${port}`, url: `${scheme}://${host}:${port}` };
  });
  return ok(sortedByName(nodes));
}

async function lookUpHosts(
  { name, port, scheme }: DiscoverSettings & { readonly kind: 'dns' },
  dns: Dns,
): Promise<Result<readonly NodeSettings[], string>> {
  const addresses = await dns.addresses(name);
  if (!addresses.ok) return addresses;
  const nodes = addresses.value.map((address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    return { name: address, url: `${scheme}://${host}:${port}` };
  });
  return ok(sortedByName(nodes));
}

/** Sorts and deduplicates the answer: a different order is no change. */
function sortedByName(nodes: readonly NodeSettings[]): readonly NodeSettings[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** How long a node that is missing from successful answers is retained. */
const retentionTime: Millis = 86_400_000;

/**
 * Nodes that discovery returned before and no longer returns. A name service omits nodes that are not ready, so a
 * failed node would no longer be polled. Removed nodes are dropped after a day. Only names of SRV records are retained;
 * a bare address may belong to another host tomorrow.
 */
export class RetainedNodes {
  readonly #kind: DiscoverSettings['kind'];
  readonly #lastSeen = new Map<string, { readonly node: NodeSettings; readonly at: number }>();

  constructor({ kind }: Pick<DiscoverSettings, 'kind'>) {
    this.#kind = kind;
  }

  /** Returns the discovered nodes at monotonic time `now` and the retained ones. */
  merge(named: readonly NodeSettings[], now: number): readonly NodeSettings[] {
    if (this.#kind === 'dns') return named;
    for (const node of named) this.#lastSeen.set(node.name, { node, at: now });
    for (const [name, { at }] of this.#lastSeen) if (now - at >= retentionTime) this.#lastSeen.delete(name);
    const known = [...this.#lastSeen.values()].map(({ node }) => node);
    return known.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
}
