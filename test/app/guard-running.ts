import { type GuardHands, GuardRun, type RunSettings } from '../../src/app/guard-run.ts';
import type { AbortAnswer } from '../../src/guard/decision/decision.ts';
import type { AbortOrder, GuardOutput } from '../../src/guard/decision/output.ts';
import { guardSection } from '../../src/guard/section.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { entryOf, epoch, idAt } from '../guard/listed.ts';
import { FakeClock } from '../support/clock.ts';

/** What the first run of all finds. */
export const nothing = { intents: [], breakers: [], reliefless: {}, offsets: {}, isPaused: false };
/** The server says that it aborted these. */
export const answered = (aborted: readonly string[]): AbortAnswer => ({ kind: 'taken', aborted });

/** Of a guard that aborts what runs for longer than 12 s, after a second. */
export function settingsOf(changes: Partial<RunSettings> = {}): RunSettings {
  const runaway = { name: 'runaway', mode: 'enforce', when: { age: '> 12s' }, grace: '1s' };
  const guard = guardSection.parse({ mode: 'enforce', policies: [runaway] });
  return { cluster: 'prod', guard, nodes: ['n1'], instances: { n1: 'RESTPP_1_1' }, interval: 5000, ...changes };
}

/** What a test does in place of the node and the store. */
export interface Ways extends Pick<GuardHands, 'list' | 'abort'> {
  /** Whether an intent is on disk; undefined: that is not known yet. */
  readonly commit: () => boolean | undefined;
}

/** A run whose node lists one query that began at the start, and ends it when asked to, unless a test says otherwise. */
export function running(ways: Partial<Ways> = {}, settings = settingsOf()) {
  const clock = new FakeClock(epoch);
  const asked: string[] = [];
  const orders: AbortOrder[] = [];
  const told: GuardOutput[] = [];
  let isThere = true;
  const run = new GuardRun(settings, clock, {
    async list(node, isUrgent) {
      asked.push(`${node} ${clock.now().mono}${isUrgent ? ' urgent' : ''}`);
      if (ways.list !== undefined) return ways.list(node, isUrgent);
      const started = clock.now();
      await clock.sleep(20);
      hear(node, undefined, started);
      return true;
    },
    async abort(order, signal) {
      orders.push(order);
      isThere = ways.abort !== undefined;
      return (await ways.abort?.(order, signal)) ?? answered([order.id]);
    },
    told(outputs, self) {
      told.push(...outputs);
      for (const output of outputs) if (output.kind === 'intent') store(output.intent.key, self);
    },
  });
  function store(key: string, self: GuardRun): void {
    const isOnDisk = ways.commit === undefined ? true : ways.commit();
    if (isOnDisk !== undefined) queueMicrotask(() => self.take({ kind: 'committed', key, isOnDisk }));
  }
  function hear(node = 'n1', failed?: Failure, started = clock.now()): void {
    const now = clock.now();
    const requestid = idAt(0);
    const expirationTime = '2026-09-21 18:13:20.000';
    const one = entryOf({ requestid, expirationTime, elapsedTime: now.wall - epoch });
    const answer = failed === undefined ? ok({ error: false, results: isThere ? [one] : [] }) : err(failed);
    run.heard({ cluster: 'prod', node, address: '10.0.0.1:1', answer, started, received: now });
  }
  const of = (kind: GuardOutput['kind']): readonly GuardOutput[] => told.filter((output) => output.kind === kind);
  const view = (node = 'n1') => run.state.views.get(node);
  return { clock, run, asked, orders, told, of, view, hear };
}

/** Begun as the daemon begins it, and run until just after the abort is due. */
export async function aborting(ways: Partial<Ways> = {}) {
  const scene = running(ways);
  await begin(scene);
  return scene;
}

/** Begins a run as the daemon does, and goes on until then. */
export async function begin(
  { run, clock }: Pick<ReturnType<typeof running>, 'run' | 'clock'>,
  until = 13_500,
): Promise<void> {
  run.take({ kind: 'graphs', names: ['fraud'] });
  run.restore(nothing);
  await clock.advance(until);
}

/** Hangs until it is given up. */
export function lostWith(signal: AbortSignal): Promise<AbortAnswer> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'lost' }), { once: true }));
}
