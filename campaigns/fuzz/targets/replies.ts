import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { collectors } from '../../../src/collect/all.ts';
import { type Collector, rawProcessListOf } from '../../../src/collect/collector.ts';
import { parseAbortReply } from '../../../src/graphdb/abort-reply.ts';
import { openCluster } from '../../../src/graphdb/connect.ts';
import type { GraphDb } from '../../../src/graphdb/graph-db.ts';
import { parseProcessList } from '../../../src/guard/process-list.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import type { HttpRequest } from '../../../src/kernel/http.ts';
import { ok, type Result } from '../../../src/kernel/result.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import type { AuthSettings } from '../../../src/model/settings.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemFiles } from '../../../src/runtime/files.ts';
import { digest } from '../../../test/support/digest.ts';
import { type FuzzResult, type FuzzRunner, type FuzzTarget, toBytes } from '../target.ts';
import { fuzzUser, recordSimulatedAnswers } from './simulated-answers.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures');
const maxBytes = 10_000_000;

/** Recorded answers whose file names match, from all server versions. */
function recorded(names: RegExp): readonly string[] {
  return ['3.9', '4.1', '4.2', '4.3', 'faults'].flatMap((version) =>
    readdirSync(join(fixtures, version))
      .filter((name) => names.test(name))
      .map((name) => readFileSync(join(fixtures, version, name), 'latin1')),
  );
}

/** Recorded answers of the calls of each collector. */
const recordings: Readonly<Record<string, RegExp>> = {
  health: /ping|version/,
  metrics: /informant-metrics/,
  categories: /category|cpu|disk|network|qps|informant-error/,
  services: /service-status/,
  statistics: /statistics|query-timeout/,
  queries: /process-list/,
  delayed_queries: /delayed-list/,
  workload_queues: /queue-status/,
  license: /license/,
  consistency: /consistency|deleted-vertex/,
};

/** Valid answers, so that an input also reaches the later calls of a poll. */
const valid = await recordSimulatedAnswers();

/** Maximum number of requests of one poll. */
const maxRequests = 4;

/** Node of a cluster that answers one request with an input, and the others with recorded answers. */
class AnsweringNode {
  readonly signal = new AbortController().signal;
  readonly #auth: AuthSettings;
  #body: Uint8Array = new Uint8Array();
  /** Number of the request that gets the input. */
  #chosen = 0;
  #requests = 0;

  constructor(auth: AuthSettings = fuzzUser) {
    this.#auth = auth;
  }

  prepare(input: string): void {
    this.#body = toBytes(input);
    this.#chosen = crc32(this.#body) % maxRequests;
    this.#requests = 0;
  }

  /** Calls without a recorded answer always get the input. */
  #answer(request: Pick<HttpRequest, 'method' | 'path'>): Uint8Array {
    const answer = valid.find(request) ?? this.#body;
    this.#requests += 1;
    return this.#requests === this.#chosen + 1 ? this.#body : answer;
  }

  open(graphs: 'auto' | readonly string[]): GraphDb {
    const headers = { 'content-type': 'text/plain' };
    const request = async (given: HttpRequest) => ok({ status: 200, headers, body: this.#answer(given) });
    const openPool = () => ({ request, sockets: () => 0, close: async () => undefined });
    const ports = { openPool, clock: systemClock, random: { next: () => 0.5 }, files: systemFiles, digest };
    const auth = { readAuth: this.#auth, abortAuth: this.#auth, informantAuth: this.#auth };
    const settings = { name: 'test', labels: {}, nodes: [], ...auth, graphs, statements: { export: '1.2' } };
    const whole = { ...settings, serverVersion: 'auto', metricPrefix: 'auto' };
    const node = { name: 'm1', url: 'http://m1:14240' };
    return openCluster(whole, { bodyLimit: maxBytes }, ports).node(node).db;
  }
}

function outcomeOf(result: Result<unknown, Failure>, detail: string): FuzzResult {
  const { ok: isGood } = result;
  return {
    outcome: isGood ? detail : `${result.error.reason}: ${result.error.message}`,
    counts: { valid: isGood ? 1 : 0 },
  };
}

/** Reader of the answers to the calls of a collector, with everything that is derived from its facts. */
function collectorTarget(definition: Collector): FuzzTarget {
  return {
    name: definition.name.replaceAll('_', '-'),
    about: `Answers that the collector ${definition.name} reads.`,
    seeds: () => [
      ...recorded(recordings[definition.name] ?? /json/),
      ...valid.of(definition.name).map((body) => Buffer.from(body).toString('latin1')),
    ],
    open: async () => {
      const node = new AnsweringNode();
      const db = node.open(['fraud']);
      return { run: (input) => poll(definition, { node, db }, input) };
    },
  };
}

interface Connection {
  readonly node: AnsweringNode;
  readonly db: GraphDb;
}

async function poll(definition: Collector, { node, db }: Connection, input: string): Promise<FuzzResult> {
  node.prepare(input);
  const result = await definition.poll(db, node.signal);
  if (!result.ok) {
    for (const _ of definition.failureSamples?.(result.error) ?? []);
    return outcomeOf(result, '');
  }
  const now = systemClock.now();
  const plausible = definition.plausible?.(result.value, () => true) ?? result.value;
  const names = new Set<string>();
  for (const { metric, value } of definition.samples(plausible, now)) {
    if (typeof value !== 'number') throw new Error(`the sample of ${metric.name} is no number`);
    names.add(metric.name);
  }
  const listed = definition.listedQueries?.(plausible, now).length ?? 0;
  const statuses = definition.serviceStatuses?.(plausible) === undefined ? '' : 'statuses';
  const raw = rawProcessListOf(definition, result);
  const entries = raw === undefined ? undefined : parseProcessList(raw.body);
  const skipped = entries?.ok === true ? [...new Set(entries.value.skippedEntries)].join() : '';
  return outcomeOf(result, [...names, Math.min(listed, 9), statuses, skipped].join(' '));
}

/** Reader of what a call returns that the client itself makes; each input has a connection of its own. */
function callTarget(
  { name, about, seeds }: Pick<FuzzTarget, 'name' | 'about'> & { readonly seeds: RegExp },
  {
    auth,
    call,
  }: {
    readonly auth?: AuthSettings;
    readonly call: (db: GraphDb, signal: AbortSignal) => Promise<Result<unknown, Failure>>;
  },
): FuzzTarget {
  return {
    name,
    about,
    seeds: () => recorded(seeds),
    open: async (): Promise<FuzzRunner> => ({
      run: async (input) => {
        const node = new AnsweringNode(auth);
        node.prepare(input);
        const result = await call(node.open('auto'), node.signal);
        return outcomeOf(result, result.ok ? JSON.stringify(result.value).slice(0, 40) : '');
      },
    }),
  };
}

const secret: AuthSettings = { kind: 'secret', secret: { value: new Secret('secret') } };

const abortReply: FuzzTarget = {
  name: 'abort-reply',
  about: 'Answers to abort requests.',
  seeds: () => [
    ...recorded(/^no-|error|timeout|gateway/),
    '{"error":false,"message":"","results":[{"aborted_queries":[{"requestid":"1.RESTPP_1_1.1790000000000.N","url":"/query/g/q"}]}]}',
    '{"error":false,"results":[{"aborted_queries":[]}]}',
    '{"error":true,"message":"no permission","results":[]}',
  ],
  open: async () => ({
    run: async (input) => {
      const { signal } = new AbortController();
      const reply = { status: 200, headers: {}, body: toBytes(input) };
      const result = await parseAbortReply(reply, systemClock, signal);
      const named = result.kind === 'accepted' ? Math.min(result.aborted.length, 9) : '';
      return { outcome: `${result.kind} ${named}`, counts: { [result.kind]: 1 } };
    },
  }),
};

/** Targets for all data that a server sends. */
export const replyTargets: readonly FuzzTarget[] = [
  ...collectors.map(collectorTarget),
  callTarget(
    { name: 'graphs', about: 'Answers with the names of graphs.', seeds: /schema-graphs|endpoints/ },
    { call: (db, signal) => db.graphs(signal) },
  ),
  callTarget(
    { name: 'versions', about: 'Answers with versions.', seeds: /version|echo/ },
    { call: (db, signal) => db.versions(signal) },
  ),
  callTarget(
    { name: 'tokens', about: 'Answers to token requests.', seeds: /token/ },
    { auth: secret, call: (db, signal) => db.ping(signal) },
  ),
  abortReply,
];
