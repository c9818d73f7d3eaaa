import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Dns } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { DiscoverSettings, NodeSettings } from '../model/settings.ts';

/** A resolver that never answers must not stop the asking. */
const deadline: Millis = 10_000;

/** Keeps asking for the nodes of a cluster until it is stopped. */
export interface Discovery {
  stop(): void;
  /** Resolves when the first answer is in and taken, good or bad. */
  readonly first: Promise<void>;
}

interface DiscoveryOptions {
  readonly clock: Clock;
  readonly dns: Dns;
  readonly log: Logger;
  /** Takes the nodes that there are now; not called when the asking failed. */
  readonly found: (nodes: readonly NodeSettings[]) => Promise<void>;
}

/** Begins to discover. A failure and an empty answer leave the known nodes as they are. */
export function discover(settings: DiscoverSettings, options: DiscoveryOptions): Discovery {
  const { clock, log, found } = options;
  const stopped = new AbortController();
  let trouble = '';
  const first = round();
  void first.then(loop);
  return { stop: () => stopped.abort(), first };

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleep(settings.every, stopped.signal);
      if (!stopped.signal.aborted) await round();
    }
  }

  async function round(): Promise<void> {
    const answer = await withDeadline(() => lookUp(settings, options.dns), clock, stopped.signal);
    if (stopped.signal.aborted) return;
    note(answer.ok ? '' : answer.error);
    if (answer.ok) await found(answer.value);
  }

  function note(now: string): void {
    if (now === trouble) return;
    if (now === '') log.info('discovery works again', { name: settings.name });
    else log.warn('discovery fails, the known nodes stay', { name: settings.name, message: now });
    trouble = now;
  }
}

/** Asks once which nodes there are; an empty answer is an error, and so is one that names what is no host. */
export async function lookUp(settings: DiscoverSettings, dns: Dns): Promise<Result<readonly NodeSettings[], string>> {
  const found = settings.kind === 'srv' ? await services(settings, dns) : await hosts(settings, dns);
  if (!found.ok) return found;
  if (found.value.length === 0) return err(`'${settings.name}' resolves to nothing`);
  return found.value.every(isReachable) ? found : err(`'${settings.name}' resolves to what is no host`);
}

/** A name server may answer anything: nothing but a host and a port shall come into an address. */
function isReachable({ url }: NodeSettings): boolean {
  return /^https?:\/\/(?:\w[\w.-]*|\[[\dA-Fa-f:.]+\]):\d+$/.test(url) && URL.canParse(url);
}

async function services(
  { name, scheme }: DiscoverSettings & { readonly kind: 'srv' },
  dns: Dns,
): Promise<Result<readonly NodeSettings[], string>> {
  const records = await dns.srv(name);
  if (!records.ok) return records;
  const named = records.value.map((record) => ({ host: record.name.replace(/\.$/, ''), port: record.port }));
  // The root as the only target says that there is no such service (RFC 2782).
  const targets = named.filter(({ host }) => host !== '');
  const short = targets.map(({ host }) => host.split('.')[0] ?? host);
  // Two targets with the same first label are told apart by their whole names.
  const nodes = targets.map(({ host, port }, at) => {
    const label = short[at] ?? host;
    const unique = short.indexOf(label) === short.lastIndexOf(label);
    return { name: unique ? label : `${host}:${port}`, url: `${scheme}://${host}:${port}` };
  });
  return ok(inOrder(nodes));
}

async function hosts(
  { name, port, scheme }: DiscoverSettings & { readonly kind: 'dns' },
  dns: Dns,
): Promise<Result<readonly NodeSettings[], string>> {
  const addresses = await dns.addresses(name);
  if (!addresses.ok) return addresses;
  const nodes = addresses.value.map((address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    return { name: address, url: `${scheme}://${host}:${port}` };
  });
  return ok(inOrder(nodes));
}

/** Answers come in any order and may repeat themselves; neither is a change. */
function inOrder(nodes: readonly NodeSettings[]): readonly NodeSettings[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function withDeadline<T>(
  ask: () => Promise<Result<T, string>>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<T, string>> {
  const answered = new AbortController();
  const late: Promise<Result<T, string>> = clock
    .sleep(deadline, AbortSignal.any([answered.signal, signal]))
    .then(() => err('the name server does not answer'));
  const answer = await Promise.race([ask(), late]);
  answered.abort();
  return answer;
}
