import { ClusterGuard, type ClusterGuardContext } from '../../../src/app/guard/cluster-guard.ts';
import type { ClusterGuardSettings } from '../../../src/app/guard/cluster-guard-settings.ts';
import { GuardRecorder } from '../../../src/app/guard/guard-recorder.ts';
import type { AbortReply } from '../../../src/graphdb/abort-reply.ts';
import type { AbortCommand, GuardOutput } from '../../../src/guard/decision/output.ts';
import { guardSection } from '../../../src/guard/guard-section.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { entryOf, epoch, idAt } from '../../guard/observations.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';

/** State of the first run. */
export const nothing = {
  intents: [],
  breakers: [],
  breakerResets: {},
  abortsWithoutRelief: {},
  offsets: {},
  isPaused: false,
};

/** Reply of a server that aborted these queries. */
export const answered = (aborted: readonly string[]): AbortReply => ({ kind: 'accepted', aborted });

/** Settings of a guard that aborts queries older than 12 s after a grace period of 1 s. */
export function settingsOf(changes: Partial<ClusterGuardSettings> = {}): ClusterGuardSettings {
  const runaway = { name: 'runaway', mode: 'enforce', when: { age: '> 12s' }, grace: '1s' };
  const guard = guardSection.parse({ mode: 'enforce', policies: [runaway] });
  const instances = { n1: 'RESTPP_1_1' };
  const common = { cluster: 'prod', guard, nodes: ['n1'], instances, gateSources: [] };
  return { ...common, interval: 5000, staleAfter: 15_000, isPolled: true, isGuarded: true, ...changes };
}

/** Behavior of the node and the store. */
export interface GuardBehavior {
  readonly list: (node: string, isUrgent: boolean) => Promise<boolean>;
  readonly abort: (order: AbortCommand, signal: AbortSignal, mayWrite: () => boolean) => Promise<AbortReply>;
  /** Whether an intent is on disk; undefined while that is not known. */
  readonly commit: () => boolean | undefined;
  readonly checkPause: () => Promise<boolean>;
}

/** Guard of a node that lists one query from the start on, and ends it on an abort, unless the test changes that. */
export function startGuard(behavior: Partial<GuardBehavior> = {}, settings = settingsOf()) {
  const clock = new FakeClock(epoch);
  const requested: string[] = [];
  const orders: AbortCommand[] = [];
  let isThere = true;
  const store: Store = memoryStore();
  const reported: GuardOutput[] = [];
  const context: ClusterGuardContext = {
    clock,
    log: recordingLogger(),
    store,
    digest,
    checkPause: behavior.checkPause ?? (async () => true),
    isAuditable: () => true,
    pause: () => undefined,
    publish: () => undefined,
    async record(changes) {
      const isIntent = changes.some(({ table }) => table === 'guard_intents');
      const isOnDisk = behavior.commit === undefined || !isIntent ? true : behavior.commit();
      if (isOnDisk === undefined) await new Promise(() => undefined);
      return isOnDisk === true ? ok(undefined) : err('the disk is full');
    },
    nodeAccess: () => ({
      nodes: () => [],
      lacksCredentials: () => false,
      graphs: async () => undefined,
      async requestList(node, isUrgent) {
        requested.push(`${node} ${clock.now().mono}${isUrgent ? ' urgent' : ''}`);
        if (behavior.list !== undefined) return behavior.list(node, isUrgent);
        const started = clock.now();
        await clock.sleep(20);
        receive(node, started);
        return true;
      },
      async abort(order, mayWrite, signal) {
        orders.push(order);
        isThere = behavior.abort !== undefined;
        if (behavior.abort !== undefined) return await behavior.abort(order, signal, mayWrite);
        return mayWrite() ? answered([order.id]) : { kind: 'unsent', reason: 'not permitted' };
      },
    }),
  };
  const recorder = new GuardRecorder(settings.cluster, context);
  const record = recorder.record.bind(recorder);
  recorder.record = (step) => {
    reported.push(...step.outputs);
    record(step);
  };
  const guard = new ClusterGuard(settings, context, recorder);
  function receive(node = 'n1', started = clock.now()): void {
    const received = clock.now();
    const expirationTime = '2026-09-21 18:13:20.000';
    const entry = entryOf({ requestid: idAt(0), expirationTime, elapsedTime: received.wall - epoch });
    const body = { error: false, results: isThere ? [entry] : [] };
    guard.receiveList({ kind: 'listed', node, body, connection: 'c1', times: { started, received } });
  }
  const fail = (skipReason?: 'malformed' | 'error', node = 'n1'): void =>
    guard.receiveList({ kind: 'unlisted', node, ...(skipReason && { skipReason }) });
  const view = (node = 'n1') => guard.state.views.get(node);
  const of = (kind: GuardOutput['kind']): readonly GuardOutput[] => reported.filter((output) => output.kind === kind);
  return { clock, guard, requested, orders, reported, of, view, receive, fail };
}

/** Starts a guard as the daemon does, and runs it until just after the abort is due. */
export async function runUntilAbort(behavior: Partial<GuardBehavior> = {}) {
  const setup = startGuard(behavior);
  await begin(setup);
  return setup;
}

/** Loads the state of the first run, and runs the guard for a time. */
export async function begin(
  { guard, clock }: Pick<ReturnType<typeof startGuard>, 'guard' | 'clock'>,
  until = 13_500,
): Promise<void> {
  guard.handle({ kind: 'graphs', names: ['fraud'] });
  guard.handle({ kind: 'restored', kept: nothing });
  await clock.advance(until);
}

/** Reply that is lost when the guard gives up waiting. */
export function lostWith(signal: AbortSignal): Promise<AbortReply> {
  const lost: AbortReply = { kind: 'lost', reason: 'no reply' };
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(lost), { once: true }));
}

/** Output of a step that decides to abort a query by a policy. */
export function intentOutput(policy: string): GuardOutput {
  return {
    kind: 'intent',
    intent: {
      key: 'k',
      cluster: 'prod',
      policy,
      node: 'n1',
      id: 'i',
      startTime: 's',
      graph: 'fraud',
      query: 'ring_scan',
      at: epoch,
      evidence: {
        age: { least: 1, most: 2 },
        matchedAt: epoch,
        due: epoch,
        firstSeenAt: epoch,
        lastSeenAt: epoch,
        pressures: {},
      },
    },
    notify: [],
  };
}
