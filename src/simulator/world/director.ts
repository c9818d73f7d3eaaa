import type { Activity } from './activity.ts';
import { type Phase, type ScenarioName, scenarios } from './scenarios.ts';

/** A phase that is on, and its place in time. */
export interface PlayedPhase {
  readonly phase: Phase;
  readonly from: number;
  readonly until: number;
}

/** Plays a scenario phase by phase, over and over, and says when one gives way to the next. */
export class Director implements Activity {
  readonly #speed: number;
  readonly #changed: (at: number, before: Phase, after: PlayedPhase) => void;
  #scenario: ScenarioName;
  #index = 0;
  #played: PlayedPhase;

  /** `changed` is called for each change of phases, but not for the very first one. */
  constructor(
    { scenario, speed, at }: { scenario: ScenarioName; speed: number; at: number },
    changed: (at: number, before: Phase, after: PlayedPhase) => void,
  ) {
    this.#scenario = scenario;
    this.#speed = speed;
    this.#changed = changed;
    this.#played = this.#placed(at);
  }

  get scenario(): ScenarioName {
    return this.#scenario;
  }

  get played(): PlayedPhase {
    return this.#played;
  }

  /** Begins another scenario, or the same one again. */
  play(scenario: ScenarioName, at: number): void {
    this.#scenario = scenario;
    this.#go(0, at);
  }

  nextAt(): number {
    return this.#played.until;
  }

  act(at: number): void {
    this.#go((this.#index + 1) % scenarios[this.#scenario].phases.length, at);
  }

  #go(index: number, at: number): void {
    const before = this.#played.phase;
    this.#index = index;
    this.#played = this.#placed(at);
    this.#changed(at, before, this.#played);
  }

  #placed(at: number): PlayedPhase {
    const phase = scenarios[this.#scenario].phases[this.#index] ?? { lasts: Number.POSITIVE_INFINITY };
    return { phase, from: at, until: at + Math.ceil(phase.lasts / this.#speed) };
  }
}
