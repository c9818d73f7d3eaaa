import type { MissingClusters, Schema } from '../../api/fields.ts';
import { replicaAnswerSchema } from '../../api/replicas.ts';
import { parseJson } from '../../kernel/json.ts';
import { type Ownership, type OwnershipView, selfCluster } from '../../kernel/ownership.ts';
import type { PeerReply, PeerRequest, Peers } from '../../kernel/peers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Clock, Millis } from '../../kernel/time.ts';

/** A page waits for its lists no longer than this. */
const listTimeout: Millis = 2000;

/** The views of one page, and equal requests of several clients, share an answer for this time. */
const answerLifetime: Millis = 1000;

/** A replica that did not answer is not requested again for this time. */
const failurePause: Millis = 2000;

/** Requests for lists to one replica at the same time; further ones wait. */
const queuesPerReplica = 4;

/** Answers that are kept or awaited, of all replicas. */
const maxAnswers = 256;

/** Inputs of {@link OtherReplicas}. */
export interface OtherReplicasContext {
  readonly clock: Clock;
  readonly ownership: Pick<Ownership, 'isShared' | 'view'>;
  readonly peers: Peers;
  /** Names of the configured clusters, in their order. */
  readonly clusters: () => readonly string[];
  /** Whether this process has the live data of a cluster, or of graphwarden itself. */
  readonly isFollowed: (cluster: string) => boolean;
}

/** Live data to request from the replicas that own it. */
export interface LiveRequest<Item> {
  /** Path with the query string; a replica answers it with {@link ReplicaAnswer}. */
  readonly path: string;
  readonly item: Schema<Item>;
  /** Only this cluster; undefined for all. */
  readonly cluster?: string | undefined;
  /** Whether the answer has items about graphwarden itself. */
  readonly hasSelf?: boolean | undefined;
}

/** Answer of a replica to a request of another one. */
export interface ReplicaAnswer<Item> {
  /** Clusters whose live data the replica has. */
  readonly clusters: readonly string[];
  readonly items: readonly Item[];
  /** Why the replica would reject the request of a client: a filter has a value that it does not know. */
  readonly problem?: string | undefined;
}

/** Live data of other replicas. */
export interface LiveAnswers<Item> {
  readonly answers: readonly (Omit<ReplicaAnswer<Item>, 'clusters'> & {
    /** Clusters for which the answer counts; none counts twice. */
    readonly clusters: ReadonlySet<string>;
  })[];
  readonly missing: readonly MissingClusters[];
}

/** Requests the live data of clusters that other replicas own. The cost is bounded: see the limits above. */
export class OtherReplicas {
  readonly #context: OtherReplicasContext;
  readonly #answers = new Map<string, Promise<Result<unknown, string>>>();
  readonly #queues = new Map<string, readonly SerialQueue[]>();
  readonly #failures = new Map<string, { readonly until: Millis; readonly reason: string }>();
  #requests = 0;

  constructor(context: OtherReplicasContext) {
    this.#context = context;
  }

  /** Whether other replicas may own clusters. */
  get isShared(): boolean {
    return this.#context.ownership.isShared;
  }

  /** Clusters whose live data this process has, with that of graphwarden itself. */
  followed(): readonly string[] {
    return [selfCluster, ...this.#context.clusters()].filter((cluster) => this.#context.isFollowed(cluster));
  }

  /** Orders clusters as the configuration does; those that only other replicas know come last. */
  compareClusters(one: string, other: string): number {
    const clusters = this.#context.clusters();
    const rank = (cluster: string) => (clusters.includes(cluster) ? clusters.indexOf(cluster) : clusters.length);
    return rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0);
  }

  /** Name of this replica; undefined without other replicas, and before the first answer of the database. */
  ownName(): string | undefined {
    const { ownership } = this.#context;
    const view = ownership.isShared ? ownership.view() : undefined;
    const own = view?.replicas.find(({ isSelf }) => isSelf);
    return view && own && nameOf(view, own.id);
  }

  /** Requests live data from the owners of all clusters that this process does not follow. */
  async gather<Item>(request: LiveRequest<Item>): Promise<LiveAnswers<Item>> {
    const view = this.#context.ownership.view();
    const open = new Set(this.#foreignClusters(view, request));
    const groups = Map.groupBy(open, (cluster) => ownerOf(view, cluster));
    const requested = await Promise.all(
      [...groups].map(async ([owner, clusters]) => ({
        owner,
        clusters,
        answer: await this.#requestItems(view, owner, request),
      })),
    );
    const answered = requested.flatMap(({ answer }) => (answer.ok ? [answer.value] : []));
    const answers = answered.map((one) => {
      const counted = new Set(one.clusters.filter((cluster) => open.delete(cluster)));
      return { ...one, clusters: counted };
    });
    const missing = requested.flatMap(({ owner, clusters, answer }) => {
      const lacked = clusters.filter((cluster) => open.has(cluster));
      const replica = nameOf(view, owner);
      const reason = answer.ok ? `the replica ${replica} is about to monitor these clusters` : answer.error;
      return lacked.length === 0 ? [] : [{ replica, clusters: lacked, reason }];
    });
    return { answers, missing };
  }

  /** Requests the data of a replica again the next time, because it has changed. */
  forgetAnswers(replica: string): void {
    for (const key of this.#answers.keys()) if (key.startsWith(`${replica} `)) this.#answers.delete(key);
  }

  /** Sends the request of a client on a cluster to its owner; the error says why there is no answer. */
  async forward(cluster: string, request: PeerRequest): Promise<Result<PeerReply, string>> {
    const view = this.#context.ownership.view();
    const owner = ownerOf(view, cluster);
    const name = nameOf(view, owner);
    const what = cluster === selfCluster ? 'the alerts about graphwarden itself' : `the cluster '${cluster}'`;
    if (!this.#context.peers.live().some(({ id }) => id === owner)) {
      return err(`No replica owns ${what} at present. Repeat the request later.`);
    }
    const reply = await this.#context.peers.request(owner, request);
    this.forgetAnswers(owner);
    return reply.ok ? reply : err(`There is no response from ${name}, which owns ${what}: ${reply.error}.`);
  }

  /** Whether another replica than this one is to answer for a cluster. False for one that no replica knows. */
  isForeign(cluster: string): boolean {
    const { clusters, isFollowed, ownership } = this.#context;
    if (!this.isShared || isFollowed(cluster)) return false;
    return cluster === selfCluster || clusters().includes(cluster) || ownerOf(ownership.view(), cluster) !== '';
  }

  #foreignClusters({ owners }: OwnershipView, { cluster, hasSelf }: LiveRequest<unknown>): readonly string[] {
    const owned = owners.flatMap((one) => (one.owner === undefined ? [] : [one.cluster]));
    const all = new Set([...this.#context.clusters(), ...owned]);
    all.delete(selfCluster);
    if (hasSelf === true) all.add(selfCluster);
    return [...all].filter((one) => (cluster === undefined || one === cluster) && !this.#context.isFollowed(one));
  }

  async #requestItems<Item>(
    view: OwnershipView,
    owner: string,
    { path, item }: LiveRequest<Item>,
  ): Promise<Result<ReplicaAnswer<Item>, string>> {
    if (owner === '') return err('no replica owns these clusters at present');
    const name = nameOf(view, owner);
    if (view.replicas.some(({ id, isSelf }) => isSelf && id === owner))
      return err(`the replica ${name} is about to monitor these clusters`);
    if (!this.#context.peers.live().some(({ id }) => id === owner))
      return err(`the replica ${name} does not renew its leases`);
    const answer = await this.#answerOf(owner, path);
    if (!answer.ok) return answer;
    const parsed = replicaAnswerSchema(item).safeParse(answer.value);
    if (parsed.success) return ok(parsed.data);
    return err(`the response of the replica ${name} is invalid; check that all replicas run the same version`);
  }

  /** Returns the answer of the last second, or requests it. */
  #answerOf(owner: string, path: string): Promise<Result<unknown, string>> {
    const key = `${owner} ${path}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.#answers.size >= maxAnswers)
      return Promise.resolve(err('too many requests to other replicas are in progress'));
    const answer = this.#queueOf(owner).run(() => this.#request(owner, path));
    this.#answers.set(key, answer);
    void this.#forgetLater(key, answer);
    return answer;
  }

  async #forgetLater(key: string, answer: Promise<unknown>): Promise<void> {
    await answer;
    await this.#context.clock.sleep(answerLifetime);
    if (this.#answers.get(key) === answer) this.#answers.delete(key);
  }

  async #request(owner: string, path: string): Promise<Result<unknown, string>> {
    const { clock, peers } = this.#context;
    const failure = this.#failures.get(owner);
    if (failure !== undefined && clock.now().mono < failure.until) return err(failure.reason);
    this.#failures.delete(owner);
    const reply = await peers.request(owner, { method: 'GET', path, timeout: listTimeout });
    if (!reply.ok) {
      this.#failures.set(owner, { until: clock.now().mono + failurePause, reason: reply.error });
      return reply;
    }
    const { status, body } = reply.value;
    return status === 200
      ? ok(parseJson(body))
      : err(`the replica that owns these clusters responds with status ${status}`);
  }

  #queueOf(owner: string): SerialQueue {
    const queues = this.#queues.get(owner) ?? Array.from({ length: queuesPerReplica }, () => new SerialQueue());
    this.#queues.set(owner, queues);
    const live = new Set(this.#context.peers.live().map(({ id }) => id));
    for (const id of this.#queues.keys()) if (!live.has(id) && id !== owner) this.#queues.delete(id);
    this.#requests += 1;
    return queues[this.#requests % queues.length] ?? new SerialQueue();
  }
}

/** Id of the replica that owns a cluster; empty if none does. */
function ownerOf({ owners }: OwnershipView, cluster: string): string {
  return owners.find((one) => one.cluster === cluster)?.owner ?? '';
}

/** Name of a replica, with its address if other live replicas have the same name; empty for none. */
function nameOf({ replicas }: OwnershipView, id: string): string {
  const replica = replicas.find((one) => one.id === id);
  if (replica === undefined) return id;
  const isUnique = !replicas.some((one) => one.isLive && one.id !== id && one.name === replica.name);
  return isUnique ? replica.name : `${replica.name} (${replica.url})`;
}
