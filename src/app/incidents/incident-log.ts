import { DistinctErrors } from '../../kernel/distinct-errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { isNotOwnedError } from '../../kernel/ownership.ts';
import type { Store } from '../../kernel/store.ts';
import { type Alert, shortIncidentId } from '../../model/alert.ts';
import { instanceName } from '../../model/instance-name.ts';
import { type ReplicaView, unobserved } from '../../model/transition.ts';
import { isUndocumentedStatus } from '../../track/tracker-metrics.ts';
import type { TrackerOutput } from '../../track/transitions.ts';

/** Maximum number of instances that a line names if many have the same transition at the same time. */
const maxNamedInstances = 3;

/**
 * Logs confirmed transitions, with one line for all instances of a cluster that change in the same way, and unknown
 * statuses, which metrics show only as `unrecognised`.
 */
export function logTracked(log: Logger, outputs: readonly TrackerOutput[]): void {
  for (const output of outputs) {
    if (output.kind !== 'transition' || !isUndocumentedStatus(output.transition.to)) continue;
    const { cluster, service, partition, replica, to: status } = output.transition;
    log.warn('unknown service status', { cluster, service, partition, replica, status });
  }
  const confirmed = outputs.flatMap((output) => (output.kind === 'confirmed' && isTransition(output) ? [output] : []));
  for (const group of Map.groupBy(confirmed, groupKey).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { cluster, confirmed: to } = first.replica;
    log.info('service status confirmed', { cluster, instances: nameInstances(group), from: first.from, to });
  }
}

type ConfirmedStatus = Extract<TrackerOutput, { readonly kind: 'confirmed' }>;

/** The first confirmation of an instance that is online is no transition. */
function isTransition({ from, replica }: ConfirmedStatus): boolean {
  return from !== unobserved || replica.confirmed !== 'Online';
}

function groupKey({ from, replica }: ConfirmedStatus): string {
  return JSON.stringify([replica.cluster, from, replica.confirmed]);
}

function nameInstances(group: readonly { readonly replica: ReplicaView }[]): string {
  const names = group.map(({ replica }) => instanceName(replica));
  const more = names.length - maxNamedInstances;
  return more <= 1 ? names.join(', ') : `${names.slice(0, maxNamedInstances).join(', ')} and ${more} more`;
}

/** Logs the start and the end of each incident, whether or not a receiver is notified. */
export class IncidentLog {
  readonly #log: Logger;
  /** Incidents whose start was logged: an acknowledgement is no start. */
  readonly #firing = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Records a change of an incident. */
  record(alert: Alert): void {
    const { status, rule, severity, labels, annotations } = alert;
    const incident = shortIncidentId(alert);
    const fields = { incident, rule, severity, labels, summary: annotations.summary };
    if (status === 'resolved') {
      this.#firing.delete(incident);
      this.#log.info('alert resolved', fields);
    } else if (!this.#firing.has(incident)) {
      this.#firing.add(incident);
      this.#log.info('alert firing', fields);
    }
  }
}

type StoreHealth = Pick<Store, 'durable' | 'problem'>;

/** Logs each change between a working and a failing store. */
export class StoreHealthLogger {
  readonly #store: StoreHealth;
  readonly #log: Logger;
  readonly #errors = new DistinctErrors();
  #hasProblem = false;

  constructor(store: StoreHealth, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Checks the store between two batches; an error stays reported until the next batch. */
  follow(): void {
    if (this.#hasProblem || this.#store.problem !== undefined) this.report();
  }

  /** Checks the store; `refused` is its error for a batch that it rejected. */
  report(refused?: string): void {
    const { problem } = this.#store;
    this.#hasProblem = problem !== undefined;
    const error = problem ?? (refused !== undefined && isNotOwnedError(refused) ? undefined : refused);
    if (error === undefined) {
      if (this.#errors.clear()) this.#log.info('state store recovered');
    } else if (this.#errors.isNew(error)) {
      const { durable } = this.#store;
      if (!durable) this.#log.error('state store unavailable', { error, durable });
      else if (problem === undefined) this.#log.error('state store write failed', { error, durable });
      else this.#log.error('state database recreated', { error, durable });
    }
  }
}
