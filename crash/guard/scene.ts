import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { Doom, type KillAt } from '../doom.ts';
import { Daemons, type Play, played } from '../lives.ts';
import { booksIn } from './books.ts';
import type { Evidence, Finding } from './evidence.ts';
import { type Judgement, judge } from './oracle/judge.ts';
import { type Fate, fateOf, type Moment } from './plan.ts';
import { settingsFor } from './settings.ts';
import { Stage } from './stage.ts';

/** One state folder, and how often a daemon is killed over it. */
export interface SceneOptions {
  /** The program to run. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
  /** How long the last life lasts from its first lists on, ms; intents have to have their outcomes then. */
  readonly quiet: number;
}

/** How one life ended. */
export interface LifeResult {
  readonly moment: Moment;
  /** The moment came; elsewhere it was killed when nobody waited any longer. */
  readonly hasCome: boolean;
}

/** What came of a scene. */
export interface SceneResult extends Judgement {
  readonly seed: number;
  readonly lives: readonly LifeResult[];
  /** Aborts under way when the daemon was killed. */
  readonly unanswered: number;
  readonly evidence: Evidence;
}

/** A moment that does not come in this time is not waited for. */
const longestWait = 15_000;
/** In which time a daemon has begun its work, on a machine that has much to do. */
const patience = 120_000;
/** An abort that does not end its query is an error by right. */
const expected = ['an abort did not end its query'];

/** Kills a guard again and again, starts it once more, lets everything settle, and judges. */
export function playScene(options: SceneOptions): Promise<SceneResult> {
  return played((folder) => new Scene(options, folder));
}

class Scene implements Play<SceneResult> {
  readonly #options: SceneOptions;
  readonly #file: string;
  readonly #state: string;
  readonly #fate: Fate;
  readonly #doom = new Doom<Moment>(systemClock);
  readonly #daemons: Daemons;
  readonly #unsettled: Finding[] = [];
  readonly #lives: LifeResult[] = [];
  #stage: Stage | undefined;

  constructor(options: SceneOptions, folder: string) {
    this.#options = options;
    this.#file = join(folder, 'graphwarden.yml');
    this.#state = join(folder, 'state');
    this.#fate = fateOf(options.seed);
    this.#daemons = new Daemons(options.entry, this.#file, expected);
  }

  async play(): Promise<SceneResult> {
    await mkdir(this.#state, { mode: 0o700 });
    const stage = await Stage.set(this.#state, this.#doom.happened);
    this.#stage = stage;
    const nodes = stage.simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
    await writeFile(this.#file, stringify(settingsFor({ nodes, stateFolder: this.#state }, this.#fate.limits)));
    const end = new AbortController();
    const churn = stage.churn(this.#fate, end.signal);
    for (let kill = 0; kill < this.#options.kills; kill += 1) await this.#live(stage);
    end.abort();
    await churn;
    return await this.#settle(stage);
  }

  async close(): Promise<void> {
    await this.#daemons.close();
    await this.#stage?.close();
  }

  /** One life: from the start of a daemon until it is killed. */
  async #live(stage: Stage): Promise<void> {
    await stage.beginLife(this.#fate);
    const kill: KillAt<Moment> = this.#fate.nextKill();
    const daemon = this.#daemons.start();
    const hasCome = await this.#doom.wait(kill, () => daemon.kill(), longestWait);
    daemon.kill();
    this.#lives.push({ moment: kill.moment, hasCome });
    await this.#daemons.bury(daemon);
    await stage.endLife();
    await pause(this.#fate.pause());
  }

  /** Nobody kills any more, and nothing new runs: whatever was begun has to come to its end. */
  async #settle(stage: Stage): Promise<SceneResult> {
    await stage.beginLastLife(this.#fate);
    const daemon = this.#daemons.start();
    const latest = Date.now() + patience;
    while (!stage.isListing() && Date.now() < latest) await pause(50);
    if (!stage.isListing())
      this.#unsettled.push({ kind: 'unsettled', about: `not every node was listed within ${patience / 1000} s` });
    await pause(this.#options.quiet);
    const endedAt = Date.now();
    await this.#daemons.retire(daemon);
    const evidence = stage.evidence(this.#fate, { rows: booksIn(this.#state), endedAt });
    const judgement = judge(evidence);
    return {
      ...judgement,
      findings: [...this.#daemons.complaints, ...this.#unsettled, ...judgement.findings],
      seed: this.#options.seed,
      lives: this.#lives,
      unanswered: stage.unanswered,
      evidence,
    };
  }
}
