import { get } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.ts';

/** So many scrapes and as many probes make a thousand. */
const crowd = 500;
/** Bytes at the end of a page that hold what a probe says of itself. */
const kept = 4096;
/** What the scraper of a probe grants. */
const deadline = 10_000;
const granted = { 'x-prometheus-scrape-timeout-seconds': String(deadline / 1000) };
/** Timeout of a poll. */
const pollTimeout = 4000;
/** What is probed, and whether it can be good while m1 hangs. */
const targets: readonly (readonly [query: string, success: number])[] = [
  ['target=c', 0],
  ['target=c/m1', 0],
  ['target=c/m2', 1],
  ['target=c/m1&collector=health', 0],
  ['target=c/m2&collector=queries,delayed_queries', 1],
  ['target=c&collector=services,metrics', 1],
];

it('a thousand scrapes and probes at once are answered in time while a node hangs', async () => {
  const { url, relays, hang } = await cluster();
  await eventually('the page has more than 1,000 samples', async () => {
    const families = readExposition((await send(`${url}/metrics`)).text, 'text');
    return [...families.values()].flatMap((family) => family.samples).length > 1000;
  });

  const crowded = () =>
    Promise.all([
      together(() => timed(`${url}/metrics`)),
      together((at) => timed(`${url}/probe?${targetOf(at)[0]}`, granted)),
    ]);
  // What so many connections cost at all, on this machine and about this moment.
  const unloaded = longest((await crowded()).flat());
  const cost = 2 * unloaded;
  await hang();
  const sockets = watchSockets(relays[0]);
  const [scrapes, probes] = await crowded();
  const [slowest, last] = [longest(scrapes), longest(probes)].map(Math.round);
  process.stdout.write(`${Math.round(unloaded)} ms without load; scrapes ${slowest} ms, probes ${last} ms\n`);

  expect(longest(scrapes)).toBeLessThan(1000 + cost);
  expect(longest(probes)).toBeLessThan(deadline + cost);
  const successes = probes.map(({ end }) => Number(/^probe_success (\d)$/m.exec(end)?.[1]));
  // If the storm takes longer than a poll even without a fault, healthy nodes may time out too.
  const expected = probes.map((_, at) => targetOf(at)[1]);
  expect(successes).toEqual(unloaded < pollTimeout ? expected : expected.map((wanted, at) => wanted && successes[at]));
  expect(Math.max(...sockets)).toBeLessThanOrEqual(4);
  expect(Math.max(...sockets)).toBeGreaterThan(0);
});

interface Cluster {
  readonly url: string;
  /** The ways to the nodes. */
  readonly relays: readonly TcpRelay[];
  /** Lets the first node hang, and resolves once the daemon knows. */
  readonly hang: () => Promise<void>;
}

/** A daemon over two nodes. */
async function cluster(): Promise<Cluster> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const relays = await Promise.all(simulator.nodes.map(({ port }) => startTcpRelay(port)));
  const nodes = relays.map((relay, at) => ({ name: `m${at + 1}`, url: relay.url }));
  // Long enough for a healthy node on a busy machine; shorter than a probe.
  const collectors = { health: { interval: '5s', timeout: `${pollTimeout}ms` } };
  const clusters = [{ name: 'c', nodes }];
  const web = { max_connections: 3 * crowd };
  const { url } = await startDaemon(stringify({ listen: '127.0.0.1:0', web, clusters, collectors }));
  const hang = async (): Promise<void> => {
    await simulator.control.injectFault('hang_before_headers', { node: 'm1' });
    await eventually('the hang shows', async () =>
      /^graphdb_up\{.*"m1".*\} 0$/m.test((await send(`${url}/metrics`)).text),
    );
  };
  return { url, relays, hang };
}

/** The open sockets of a way, over and over until the test ends. */
function watchSockets(relay: TcpRelay | undefined): readonly number[] {
  const seen: number[] = [];
  const sampling = setInterval(() => seen.push(relay?.open() ?? Number.NaN), 5);
  onTestFinished(() => clearInterval(sampling));
  return seen;
}

interface Timed {
  readonly took: number;
  /** The end of the body: here the client has to be quicker than the server. */
  readonly end: string;
}

function timed(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Timed> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      let end = '';
      response.on('data', (chunk: Buffer) => {
        end = (end + chunk.toString('latin1', Math.max(0, chunk.length - kept))).slice(-kept);
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ took: performance.now() - begun, end });
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}

function together(sendOne: (at: number) => Promise<Timed>): Promise<readonly Timed[]> {
  return Promise.all(Array.from({ length: crowd }, (_, at) => sendOne(at)));
}

function longest(answers: readonly Timed[]): number {
  return Math.max(...answers.map(({ took }) => took));
}

function targetOf(at: number): readonly [query: string, success: number] {
  return targets[at % targets.length] ?? ['', Number.NaN];
}
