import type { Instant, Millis } from '../../src/kernel/time.ts';
import type { StateMachine } from '../../src/metric/state-machine.ts';
import type { ServiceState } from '../../src/model/service.ts';
import type { ReplicaView, Transition } from '../../src/model/transition.ts';
import type { TrackerSettings } from '../../src/track/settings.ts';
import type { StatusCode } from '../../src/track/status-codes.ts';
import { createTracker, type TrackerInput, type TrackerState } from '../../src/track/tracker.ts';
import type { TrackerOutput } from '../../src/track/transitions.ts';
import { viewsOf } from '../../src/track/views.ts';

/** The defaults. */
export const settings: TrackerSettings = {
  confirm: 2,
  confirmFor: 0,
  forget: 86_400_000,
  flapping: { window: 21, on: 0.3, off: 0.25, changes: 8 },
};

/** Tuesday, 22 September 2026, 04:53:20 UTC. */
export const trackingStart = Date.UTC(2026, 8, 22, 4, 53, 20);

/** An event of GPE_1#1, unless it says otherwise. */
export function serviceState(status: string, other: Partial<ServiceState> = {}): ServiceState {
  const id = { service: 'GPE', partition: '1', replica: '1' };
  return { ...id, process: 'Running', eventId: '', timestampNs: '', status, ...other };
}

/** The code of GPE_1#1 in the server's metrics. */
export function statusCode(code: number): StatusCode {
  return { service: 'GPE', partition: '1', replica: '1', code };
}

/** A tracker of the cluster `prod` with a clock of its own, and all that it has said. */
export class TrackingHarness {
  readonly outputs: TrackerOutput[] = [];
  state: TrackerState;
  wall: number;
  mono: number;
  readonly #machine: StateMachine<TrackerState, TrackerInput, TrackerOutput>;

  constructor(
    changes: Partial<TrackerSettings> = {},
    state?: TrackerState,
    at: Instant = { wall: trackingStart, mono: 0 },
  ) {
    this.#machine = createTracker('prod', { ...settings, ...changes });
    this.state = state ?? this.#machine.initial;
    this.wall = at.wall;
    this.mono = at.mono;
  }

  get now(): Instant {
    return { wall: this.wall, mono: this.mono };
  }

  /** Lets time go by on both clocks. */
  pass(length: Millis): this {
    this.wall += length;
    this.mono += length;
    return this;
  }

  /** One step now; gives what it said. */
  step(input: TrackerInput): readonly TrackerOutput[] {
    const { state, outputs } = this.#machine.step(this.state, input, this.now);
    this.state = state;
    this.outputs.push(...outputs);
    return outputs;
  }

  /** A good answer, five seconds after what was before. */
  pollStates(states: readonly ServiceState[], source = 'm1'): readonly TrackerOutput[] {
    return this.pass(5000).step({ kind: 'states', source, states, interval: 5000 });
  }

  /** Answers of GPE_1#1 alone, one status each. */
  pollStatuses(...statuses: readonly string[]): this {
    for (const status of statuses) this.pollStates([serviceState(status)]);
    return this;
  }

  /** Records polls that failed on every node. */
  failPoll(times = 1): this {
    for (let time = 0; time < times; time += 1) this.pass(5000).step({ kind: 'poll_failed' });
    return this;
  }

  /** What is known of GPE_1#1, or of another replica of the list. */
  view(service = 'GPE', replica = '1'): ReplicaView {
    const found = this.views.find((view) => view.service === service && view.replica === replica);
    if (found === undefined) throw new Error(`${service} #${replica} is not known`);
    return found;
  }

  get views(): readonly ReplicaView[] {
    return viewsOf(this.state, 'prod').replicas;
  }

  get transitions(): readonly Transition[] {
    return this.outputs.flatMap((output) => (output.kind === 'transition' ? [output.transition] : []));
  }

  /** The transitions in short: `Online > Down`. */
  get observedTransitions(): readonly string[] {
    return this.transitions.map(({ from, to }) => `${from} > ${to}`);
  }

  /** The hard changes in short. */
  get confirmedTransitions(): readonly string[] {
    return this.outputs.flatMap((output) =>
      output.kind === 'confirmed' ? [`${output.from} > ${output.replica.confirmed}`] : [],
    );
  }

  /** Whether flapping began (true) or ended (false), in order. */
  get flappings(): readonly boolean[] {
    return this.outputs.flatMap((output) => (output.kind === 'flapping' ? [output.replica.flapping] : []));
  }

  /** A sample's value; undefined where it is not shown. */
  shown(metric: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const fits = (own: Readonly<Record<string, string>>): boolean =>
      Object.entries(labels).every(([name, value]) => own[name] === value);
    const all = [...this.#machine.samples(this.state, this.now)];
    return all.find((sample) => sample.metric.name === metric && fits(sample.labels))?.value;
  }
}
