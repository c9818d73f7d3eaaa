import type { EventSource } from './event-source.ts';
import { type Phase, type ScenarioName, scenarios } from './scenarios.ts';

/** Current phase with its start and end. */
export interface ActivePhase {
  readonly phase: Phase;
  readonly from: number;
  readonly until: number;
}

/** Runs the phases of a scenario in a loop, and reports each change of the phase. */
export class ScenarioRunner implements EventSource {
  readonly #speed: number;
  readonly #changed: (at: number, before: Phase, after: ActivePhase) => void;
  #scenario: ScenarioName;
  #index = 0;
  #activePhase: ActivePhase;

  /** `changed` is called for each change of phases, but not for the very first one. */
  constructor(
    { scenario, speed, at }: { scenario: ScenarioName; speed: number; at: number },
    changed: (at: number, before: Phase, after: ActivePhase) => void,
  ) {
    this.#scenario = scenario;
    this.#speed = speed;
    this.#changed = changed;
    this.#activePhase = this.#phaseAt(at);
  }

  get scenario(): ScenarioName {
    return this.#scenario;
  }

  get activePhase(): ActivePhase {
    return this.#activePhase;
  }

  /** Begins another scenario, or the same one again. */
  start(scenario: ScenarioName, at: number): void {
    this.#scenario = scenario;
    this.#enterPhase(0, at);
  }

  nextEventAt(): number {
    return this.#activePhase.until;
  }

  runEvent(at: number): void {
    this.#enterPhase((this.#index + 1) % scenarios[this.#scenario].phases.length, at);
  }

  #enterPhase(index: number, at: number): void {
    const before = this.#activePhase.phase;
    this.#index = index;
    this.#activePhase = this.#phaseAt(at);
    this.#changed(at, before, this.#activePhase);
  }

  #phaseAt(at: number): ActivePhase {
    const phase = scenarios[this.#scenario].phases[this.#index] ?? { duration: Number.POSITIVE_INFINITY };
    return { phase, from: at, until: at + Math.ceil(phase.duration / this.#speed) };
  }
}
