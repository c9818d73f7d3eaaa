import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '../../src/kernel/time.ts';
import type { FailoverEnvironment } from './environment.ts';
import type { PlannedFault } from './plan.ts';
import type { PostgresPair } from './postgres-pair.ts';
import type { Replica } from './replica.ts';

const maxMomentWait: Millis = 8000;

/** Maximum delay of an answer or a commit; after a longer one, the replica or PostgreSQL ends the transaction. */
const longestAnswer: Millis = 7000;
const longestCommit: Millis = 4800;

/** A fault that has begun. */
export interface BegunFault {
  readonly replica: Replica;
  readonly at: number;
  /** Moment that it waited for. */
  readonly moment: string;
  /** Resolves when the fault is over and the replica runs. */
  readonly over: Promise<void>;
}

/** Targets of faults. */
export interface FaultTargets {
  readonly replicas: readonly Replica[];
  readonly environment: FailoverEnvironment;
  readonly database: PostgresPair | undefined;
  /** Length of a lease. */
  readonly lease: Millis;
}

/** Waits for the moment of a fault and begins the fault in the same turn. */
export function startFault(planned: PlannedFault, targets: FaultTargets): Promise<BegunFault> {
  const { replicas, environment } = targets;
  const { moment } = planned;
  return new Promise((resolve) => {
    let hasBegun = false;
    const begin = (index: number, about: string): void => {
      const replica = replicas[index];
      if (hasBegun || replica === undefined) return;
      hasBegun = true;
      environment.onMoment(() => undefined);
      for (const { proxy } of replicas) proxy?.removeTrap();
      clearTimeout(timer);
      resolve({ replica, at: Date.now(), moment: about, over: begun(planned, replica, targets) });
    };
    const latest = moment.kind === 'time' ? moment.after : maxMomentWait;
    const timer = setTimeout(() => begin(planned.replica, 'time'), latest);
    if (moment.kind === 'statement') {
      const { table, phase } = moment;
      for (const { proxy, index } of replicas) proxy?.trap(table, phase, () => begin(index, `${phase} of ${table}`));
    } else if (moment.kind !== 'time') {
      environment.onMoment(({ kind, replica }) => {
        if (kind !== moment.kind) return;
        if (moment.after === 0) begin(replica, kind);
        else setTimeout(() => begin(replica, kind), moment.after);
      });
    }
  });
}

/** Begins a fault at once; resolves when it is over. */
function begun(planned: PlannedFault, replica: Replica, { database, replicas, lease }: FaultTargets): Promise<void> {
  switch (planned.name) {
    case 'kill':
      return restarted(replica.kill(), replica, planned);
    case 'terminate':
      return restarted(replica.stop(), replica, planned);
    case 'stall':
      return stall(replica, planned);
    case 'partition':
      return interrupted(replica, planned, 'hold');
    case 'cut':
      return interrupted(replica, planned, 'cut');
    case 'delay':
      return delayed(replica, planned);
    case 'lost replies':
      return lostReplies(replica, planned);
    case 'late answer':
      return lateAnswer(replica, Math.min(0.85 * lease, longestAnswer), lease);
    case 'late commit':
      return lateCommit(replica, Math.min(1.2 * lease, longestCommit));
    case 'database restart':
      return away(database, { ...planned, length: 0 });
    case 'database failover':
      return database === undefined ? Promise.resolve() : failedOver(database, replicas);
    case 'database outage':
      return away(database, planned);
    default:
      throw new Error(`no fault ${String(planned.name satisfies never)}`);
  }
}

async function restarted(
  ended: Promise<void>,
  replica: Replica,
  { isHard, length, delay, skew }: PlannedFault,
): Promise<void> {
  await ended;
  await pause(isHard ? length : delay);
  replica.start(skew);
}

/** Freezes a process, and holds what it sent to the database at that moment. */
async function stall(replica: Replica, { length, moment }: PlannedFault): Promise<void> {
  replica.freeze();
  // What the process sent also arrives late, after another replica took its leases.
  if (moment.kind === 'statement' && moment.phase.endsWith('request')) replica.proxy?.setMode('hold');
  await pause(length);
  replica.proxy?.setMode('forward');
  replica.thaw();
}

async function interrupted({ proxy }: Replica, { length, isHard }: PlannedFault, mode: 'hold' | 'cut'): Promise<void> {
  proxy?.setMode(mode);
  await pause(length);
  if (isHard) proxy?.setMode('cut');
  proxy?.setMode('forward');
}

async function delayed({ proxy }: Replica, { length, delay }: PlannedFault): Promise<void> {
  if (proxy === undefined) return;
  proxy.delay = delay;
  await pause(length);
  proxy.delay = 0;
}

async function lostReplies({ proxy }: Replica, { length }: PlannedFault): Promise<void> {
  if (proxy === undefined) return;
  proxy.repliesToLose = 12;
  await pause(length);
  proxy.repliesToLose = 0;
}

/** Delays an answer, such as one that renews leases, and then cuts the replica off for longer than a lease. */
async function lateAnswer({ proxy }: Replica, late: Millis, lease: Millis): Promise<void> {
  proxy?.setMode('hold');
  await pause(late);
  proxy?.setMode('forward');
  // The held packets are sent in the next turns of the event loop.
  await pause(20);
  proxy?.setMode('cut');
  await pause(1.5 * lease);
  proxy?.setMode('forward');
}

/** Delays a commit, and everything that the replica sends meanwhile. */
async function lateCommit({ proxy }: Replica, late: Millis): Promise<void> {
  proxy?.setMode('hold');
  await pause(late);
  proxy?.setMode('forward');
}

async function away(database: PostgresPair | undefined, { isHard, length }: PlannedFault): Promise<void> {
  await database?.stop(isHard ? 'immediate' : 'fast');
  await pause(length);
  await database?.start();
}

/** Fails over to the standby. The proxies forward to the new primary, so the address of the database stays the same. */
async function failedOver(database: PostgresPair, replicas: readonly Replica[]): Promise<void> {
  await database.failOver();
  for (const { proxy } of replicas) proxy?.retarget(database.port);
  await database.addStandby();
}
