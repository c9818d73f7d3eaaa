import type { FindingKind } from './evidence.ts';
import { type FaultMoment, type FaultName, statementMoment } from './plan.ts';
import type { SourceEdit } from './program.ts';

/** Protection of the effects of a cluster's owner, with the edits that remove it and the faults that it protects against. */
export interface Fence {
  readonly name: string;
  readonly about: string;
  readonly edits: readonly SourceEdit[];
  /** Faults after which the oracle detects the removal. */
  readonly faults: readonly FaultName[];
  /** Moments of these faults; any by default. */
  readonly moments?: readonly FaultMoment[];
  /** Length of these faults, in lengths of a lease. */
  readonly length?: number;
  /** Kinds of findings, of which at least one shows the removal. */
  readonly shownBy: readonly FindingKind[];
}

const atWrites: readonly FaultMoment[] = [
  statementMoment('guard_intents', 'request'),
  statementMoment('guard_intents', 'reply'),
  statementMoment('lanes', 'request'),
  statementMoment('lanes', 'reply'),
];

/** Protections that the campaign can remove. */
export const fences: readonly Fence[] = [
  {
    name: 'commit',
    about: 'the transaction of a write checks the lease',
    edits: [
      {
        file: 'src/runtime/postgres/commit-fence.ts',
        text: 'return missing === undefined ? ok(undefined) : err(notOwnedError(missing.cluster));',
        replacement: 'return ok(missing && undefined);',
      },
    ],
    faults: ['stall', 'cut', 'partition'],
    moments: atWrites,
    shownBy: ['write without lease'],
  },
  {
    name: 'commit lock',
    about: 'a lease cannot be taken while a transaction that checked it is open',
    edits: [
      {
        file: 'src/runtime/postgres/lease-statements.ts',
        text: 'ORDER BY lease.cluster FOR SHARE OF lease`',
        replacement: 'ORDER BY lease.cluster`',
      },
    ],
    faults: ['late commit'],
    moments: [statementMoment('lanes', 'commit request'), statementMoment('guard_intents', 'commit request')],
    shownBy: ['write without lease'],
  },
  {
    name: 'transaction time',
    about: 'PostgreSQL ends a transaction whose process does not continue',
    edits: [
      {
        file: 'src/runtime/postgres/connection.ts',
        text: '`SET LOCAL idle_in_transaction_session_timeout = ${timeout}`',
        replacement: "'SET LOCAL idle_in_transaction_session_timeout = 0'",
      },
    ],
    faults: ['stall'],
    moments: [statementMoment('lanes', 'reply'), statementMoment('guard_intents', 'reply')],
    length: 6,
    shownBy: ['polled too late'],
  },
  {
    name: 'effect',
    about: 'an abort or a notification leaves only while the lease lasts',
    edits: [
      {
        file: 'src/kernel/ownership.ts',
        text: 'if (!ownership.owns(cluster) || ownership.remaining(cluster) <= effectMargin) return false;',
        replacement: 'if (ownership.remaining(cluster) < 0) return false;',
      },
    ],
    faults: ['cut', 'stall', 'partition'],
    shownBy: ['notification without lease', 'abort without lease'],
  },
  {
    name: 'time of a lease',
    about: 'a lease counts from before its request was sent',
    edits: [
      {
        file: 'src/runtime/postgres/lease-keeper.ts',
        text: 'this.#held.renew(leases, renewed.value, sent)',
        replacement: 'this.#held.renew(leases, renewed.value, clock.now())',
      },
      {
        file: 'src/runtime/postgres/lease-keeper.ts',
        text: 'this.#held.take(taken.value, sent)',
        replacement: 'this.#held.take(taken.value, clock.now())',
      },
    ],
    faults: ['late answer'],
    shownBy: ['notification without lease', 'abort without lease'],
  },
  {
    name: 'expiry',
    about: 'only a lease that has ended can be taken over',
    edits: [
      {
        file: 'src/runtime/postgres/lease-statements.ts',
        text: 'OR lease.expires_at <= clock_timestamp())',
        replacement: "OR lease.renewed_at <= clock_timestamp() - interval '1 second')",
      },
      {
        file: 'src/runtime/postgres/lease-plan.ts',
        text: 'lease.owner === self || lease.expiresIn <= 0',
        replacement: 'lease.owner === self || lease.expiresIn <= 3000',
      },
    ],
    faults: ['cut', 'stall'],
    shownBy: ['two owners', 'notification without lease', 'abort without lease'],
  },
  {
    name: 'renewal',
    about: 'a replica drops a cluster whose lease it could not renew',
    edits: [
      {
        file: 'src/runtime/postgres/held-leases.ts',
        text: 'if (answered.get(cluster) === epoch)',
        replacement: 'if (answered.size >= 0)',
      },
    ],
    faults: ['cut', 'stall'],
    shownBy: ['two owners', 'notification without lease', 'abort without lease'],
  },
  {
    name: 'clock',
    about: 'stored times are those of the clock of the database',
    edits: [
      {
        file: 'src/runtime/postgres/database-clock.ts',
        text: 'return { wall: wall + offset.offset, mono };',
        replacement: 'return { wall: wall + 0 * offset.offset, mono };',
      },
    ],
    faults: ['kill', 'terminate'],
    shownBy: ['over budget', 'over breaker'],
  },
  {
    name: 'restored budgets',
    about: 'the next owner knows the aborts that its predecessor spent',
    edits: [
      {
        file: 'src/guard/decision/restore-state.ts',
        text: "...unknown.filter(({ outcome }) => outcome !== 'not_sent').map((one) => restoreAttempt(one, now)),",
        replacement: '',
      },
    ],
    faults: ['kill', 'terminate'],
    shownBy: ['over budget'],
  },
  {
    name: 'restored aborts',
    about: 'the next owner knows which queries its predecessor aborted',
    edits: [
      {
        file: 'src/guard/decision/restore-state.ts',
        text: 'new Set([...state.excludedKeys, ...excluding.map(decisionKey)])',
        replacement: 'state.excludedKeys',
      },
    ],
    faults: ['kill', 'terminate'],
    shownBy: ['double abort'],
  },
  {
    name: 'restored notifications',
    about: 'the next owner sends what its predecessor had queued',
    edits: [
      {
        file: 'src/notify/create-deliverer.ts',
        text: 'this.#adopt(receivers, new Map());',
        replacement: '',
      },
    ],
    faults: ['kill'],
    moments: [statementMoment('lanes', 'commit reply'), { kind: 'notification', after: 0 }],
    shownBy: ['lost notification', 'left open', 'no end'],
  },
];

/** Returns the fence of a name. */
export function fenceNamed(name: string): Fence {
  const fence = fences.find((one) => one.name === name);
  if (fence === undefined) throw new Error(`no fence '${name}'; one of ${fences.map((one) => one.name).join(', ')}`);
  return fence;
}
