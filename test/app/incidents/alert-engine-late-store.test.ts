import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AlertEngine, type AlertStepResult } from '../../../src/app/incidents/alert-engine.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { StateDatabase } from '../../../src/runtime/store/state-database.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { catchAllRoute, ruleOf, settingsOf as ruleSettingsOf, situationOf } from '../../alert/alerting-testbed.ts';
import { DeliveryTestbed, FakeReceiver, settingsOf, unlimited, unreachable } from '../../notify/delivery-testbed.ts';
import { generous } from '../../runtime/store/retention.ts';
import { temporaryStateDir } from '../../runtime/store/temporary-folder.ts';

const quick = ruleOf('quick');
const minute = 60_000;

/** State directory that another one replaces, or that comes late. */
class LateFolder {
  readonly path = join(temporaryStateDir(), 'state');

  takeAway(): void {
    renameSync(this.path, `${this.path}.away`);
    writeFileSync(this.path, '');
  }

  giveBack(): void {
    rmSync(this.path);
    renameSync(`${this.path}.away`, this.path);
  }

  open(): Store {
    const options = { folder: this.path, retention: generous, steps: migrations, retryAfter: 0, trimAfter: minute };
    const opened = StateDatabase.open(options);
    if (!opened.ok) throw new Error(opened.error.message);
    const database = opened.value;
    return {
      get durable() {
        return database.status.durable;
      },
      get problem() {
        return database.status.problem;
      },
      get mergeCount() {
        return database.status.mergeCount;
      },
      wasRecreated: false,
      history: memoryStore().history,
      commit: async (changes) => database.commit([changes], 0)[0] ?? ok(undefined),
      find: async (query) => ok(database.find(query)),
      count: async (query) => ok(database.count(query)),
      close: async () => database.close(),
    };
  }
}

/** One run of a daemon: alerting and delivery to `one`, on a store. */
class DaemonRun {
  readonly delivering: DeliveryTestbed;
  readonly #engine: AlertEngine;

  private constructor(delivering: DeliveryTestbed) {
    this.delivering = delivering;
    const { log, store, deliverer } = delivering;
    this.#engine = new AlertEngine({ log, store, digest, rules: [quick], deliverer });
  }

  /** Starts the `nth` daemon, one minute after the one before. */
  static async start(folder: LateFolder, nth: number, receivers: readonly string[] = ['one']): Promise<DaemonRun> {
    const traits = Object.fromEntries(receivers.map((name) => [name, {}]));
    const run = new DaemonRun(new DeliveryTestbed(traits, folder.open()));
    run.delivering.clock.step(nth * minute);
    await run.configure(receivers);
    return run;
  }

  async configure(names: readonly string[]): Promise<void> {
    const receivers = names.map(settingsOf);
    const routes = [{ ...catchAllRoute, receivers: names }];
    const alerts = { receivers, routes, rules: { quick: ruleSettingsOf(quick) }, maintenance: [], templates: {} };
    await this.#perform(await this.#engine.configure({ alerts, clusters: ['prod'] }, this.delivering.clock.now()));
  }

  /** Evaluates the rules: the alert fires on these nodes. */
  async evaluate(...nodes: readonly string[]): Promise<void> {
    const situation = situationOf({ rules: { quick: nodes.map((node) => ({ node })) } });
    await this.delivering.clock.advance(1000);
    await this.#perform(this.#engine.step({ kind: 'situation', situation }, this.delivering.clock.now()));
  }

  async merge(): Promise<void> {
    await this.#perform(await this.#engine.merge(this.delivering.clock.now()));
  }

  /** Ends without a further request, as a crash does. */
  async crash(): Promise<void> {
    await this.delivering.deliverer.stop(AbortSignal.abort());
    await this.delivering.store.close();
  }

  /** The action and the minute of its incident, for each notification of a receiver. */
  story(name = 'one'): readonly string[] {
    const begin = Date.UTC(2026, 8, 22, 4, 53, 20);
    return this.delivering
      .receiver(name)
      .take()
      .flatMap((request) => request.split(', '))
      .map((line) => {
        const [action, , number] = line.split(' ');
        return `${action} ${Math.floor((Number(number) - begin) / minute)}`;
      });
  }

  async #perform(result: AlertStepResult): Promise<void> {
    await this.delivering.store.commit(result.changes);
    result.release();
    await this.delivering.clock.settle();
  }
}

/** A folder with the open incident of minute 1, which is away. */
async function folderWithIncident(): Promise<LateFolder> {
  const folder = new LateFolder();
  const first = await DaemonRun.start(folder, 1);
  await first.evaluate('m1');
  expect(first.story()).toEqual(['trigger 1']);
  await first.crash();
  folder.takeAway();
  return folder;
}

describe('alerting with a state directory that appears after the start', () => {
  it('resolves the incident of the folder if its alert does not fire', async () => {
    const folder = await folderWithIncident();
    const run = await DaemonRun.start(folder, 2);
    await run.evaluate();
    folder.giveBack();
    await run.evaluate();
    await run.merge();
    await run.evaluate();
    expect(run.delivering.store.mergeCount).toBe(1);
    expect(run.story()).toEqual(['resolve 1']);
  });

  it('resolves both incidents of an alert that began again without the folder', async () => {
    const folder = await folderWithIncident();
    const run = await DaemonRun.start(folder, 2);
    await run.evaluate('m1');
    folder.giveBack();
    await run.evaluate('m1');
    await run.merge();
    expect(run.story()).toEqual(['trigger 2', 'resolve 1']);
    await run.evaluate();
    expect(run.story()).toEqual(['resolve 2']);
  });

  it('resolves both incidents of an alert that begins again between the return of the folder and the merge', async () => {
    const folder = await folderWithIncident();
    const run = await DaemonRun.start(folder, 2);
    folder.giveBack();
    await run.evaluate();
    await run.evaluate('m1');
    expect(run.story()).toEqual(['trigger 2']);
    await run.merge();
    expect(run.story()).toEqual(['resolve 1']);
    await run.evaluate();
    expect(run.story()).toEqual(['resolve 2']);
  });

  it('resolves both if the daemon is killed before the merge', async () => {
    const folder = await folderWithIncident();
    const killed = await DaemonRun.start(folder, 2);
    folder.giveBack();
    await killed.evaluate();
    await killed.evaluate('m1');
    await killed.crash();
    const run = await DaemonRun.start(folder, 3);
    expect(run.story()).toEqual(['resolve 1']);
    await run.evaluate();
    expect(run.story()).toEqual(['resolve 2']);
  });

  it('sends the resolve that is pending in the folder before the next trigger', async () => {
    const folder = new LateFolder();
    const first = await DaemonRun.start(folder, 1);
    await first.evaluate('m1');
    first.delivering.receiver().defaultResponse = unreachable;
    await first.evaluate();
    await first.crash();
    folder.takeAway();
    const run = await DaemonRun.start(folder, 2);
    run.delivering.receiver().defaultResponse = unreachable;
    folder.giveBack();
    await run.evaluate();
    await run.merge();
    await run.evaluate('m1');
    run.delivering.receiver().take();
    run.delivering.receiver().defaultResponse = { kind: 'accepted' };
    await run.delivering.clock.advance(10 * minute);
    expect(run.story().slice(-2)).toEqual(['resolve 1', 'trigger 2']);
  });

  it('keeps the incidents of a receiver that is not configured, also through a restart', async () => {
    const folder = await folderWithIncident();
    const late = await DaemonRun.start(folder, 2, ['two']);
    folder.giveBack();
    await late.evaluate();
    await late.merge();
    await late.crash();
    const run = await DaemonRun.start(folder, 3, ['two']);
    run.delivering.receivers.set('one', new FakeReceiver(run.delivering.clock, unlimited));
    await run.configure(['one', 'two']);
    await run.evaluate();
    expect(run.story()).toEqual(['resolve 1']);
    expect(run.story('two')).toEqual([]);
  });
});
