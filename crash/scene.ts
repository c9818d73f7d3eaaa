import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { systemClock } from '../src/runtime/clock.ts';
import { type Daemon, timelineOf } from './daemon.ts';
import { Doom } from './doom.ts';
import type { Evidence, Finding, TimelineEntry } from './evidence.ts';
import { Daemons, type Play, played } from './lives.ts';
import { type Judgement, judge } from './oracle/judge.ts';
import { openAt } from './oracle/open.ts';
import { type Fate, fateOf, instances, type Kill, type Moment } from './plan.ts';
import { cast, chronicler, likeNamed, routed, settingsFor } from './settings.ts';
import { nameOf, Stage } from './stage.ts';

/** One state folder, and how often a daemon is killed over it. */
export interface SceneOptions {
  /** The program to run. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
}

/** How one life ended. */
export interface LifeResult {
  readonly moment: Moment;
  /** A receiver took something while it lasted. */
  readonly delivered: boolean;
}

/** What came of a scene. */
export interface SceneResult extends Judgement {
  readonly seed: number;
  readonly lives: readonly LifeResult[];
  /** For whoever looks into a finding. */
  readonly evidence: Evidence;
}

/** A moment that does not come in this time is not waited for. */
const longestWait = 15_000;
/** How long everything may take to settle after the last kill. */
const patience = 120_000;

/** Kills a daemon again and again, starts it once more, lets everything settle, and judges. */
export function playScene(options: SceneOptions): Promise<SceneResult> {
  return played((folder) => new Scene(options, folder));
}

class Scene implements Play<SceneResult> {
  readonly #options: SceneOptions;
  readonly #file: string;
  readonly #folder: string;
  readonly #fate: Fate;
  readonly #daemons: Daemons;
  readonly #unsettled: Finding[] = [];
  readonly #kills: Kill[] = [];
  #stage: Stage | undefined;
  readonly #doom = new Doom<Moment>(systemClock);

  constructor(options: SceneOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#file = join(folder, 'graphwarden.yml');
    this.#fate = fateOf(options.seed);
    this.#daemons = new Daemons(options.entry, this.#file);
  }

  async play(): Promise<SceneResult> {
    const stage = await Stage.set(this.#doom.happened);
    this.#stage = stage;
    await writeFile(
      this.#file,
      stringify(
        settingsFor({
          nodes: stage.simulator.nodes.map(({ name, url }) => ({ name, url })),
          receivers: stage.receivers.all,
          stateFolder: join(this.#folder, 'state'),
        }),
      ),
    );
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
    stage.manner(this.#fate);
    const kill = this.#fate.nextKill();
    this.#kills.push(kill);
    const daemon = this.#start(stage);
    await this.#doom.wait(kill, () => daemon.kill(), longestWait);
    stage.endLife();
    daemon.kill();
    await this.#daemons.bury(daemon);
    await pause(this.#fate.pause());
  }

  #start(stage: Stage): Daemon {
    stage.beginLife();
    return this.#daemons.start();
  }

  /** Nothing fails any more: what is open has to be told, then that it is over. */
  async #settle(stage: Stage): Promise<SceneResult> {
    stage.manner();
    const daemon = this.#start(stage);
    await this.#until('everybody knows what is in trouble', () => everybodyKnows(stage));
    stage.recover();
    await this.#until('everybody knows that all is well', () => everybodyKnows(stage));
    await this.#until('everything was told', () => isTold(this.#judge(stage, [])));
    const seen = stage.readings.length;
    await this.#until('the end was read', () => stage.readings.length > seen + 1);
    const timeline = await timelineOf(daemon.url() ?? '');
    await this.#daemons.retire(daemon);
    const judgement = this.#judge(stage, timeline);
    return {
      ...judgement,
      findings: [...this.#daemons.complaints, ...this.#unsettled, ...judgement.findings],
      seed: this.#options.seed,
      lives: this.#kills.map(({ moment }, life) => ({ moment, delivered: hasDelivered(judgement, life) })),
      evidence: evidenceOf(stage, timeline),
    };
  }

  #judge(stage: Stage, timeline: readonly TimelineEntry[]): Judgement {
    const who = { receivers: cast.map(({ name }) => name), chronicle: { receiver: chronicler, others: likeNamed } };
    return judge({ ...who, instances: instances.map(nameOf) }, evidenceOf(stage, timeline));
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const end = Date.now() + patience;
    while (!isSo()) {
      if (Date.now() > end) {
        this.#unsettled.push({ kind: 'unsettled', about: `not within ${patience / 1000} s: ${what}` });
        return;
      }
      await pause(50);
    }
  }
}

function evidenceOf({ lives, readings, letters }: Stage, timeline: readonly TimelineEntry[]): Evidence {
  return { lives, readings, letters, timeline };
}

function everybodyKnows(stage: Stage): boolean {
  const troubled = stage.troubled().join();
  return routed.every((receiver) => openAt(receiver, stage).join() === troubled);
}

/** The timeline has not been asked for yet: it is left out. */
function isTold({ findings }: Judgement): boolean {
  return findings.every(({ kind }) => kind !== 'lost' && kind !== 'left open' && kind !== 'not in the digest');
}

function hasDelivered({ deliveries }: Judgement, life: number): boolean {
  return deliveries.some(({ livesWithDelivery }) => livesWithDelivery.has(life));
}
