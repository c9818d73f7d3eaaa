import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { casesOfRun } from '../support/campaign.ts';
import { eventually } from '../support/child.ts';
import { pageOf } from '../support/in-process-daemon.ts';
import { startEvilCluster } from './evil-cluster.ts';
import { evilBehaviours } from './evil-replies.ts';
import { collectorNames } from './evil-settings.ts';

const mebibyte = 1_048_576;
/** Similar behaviours are next to each other: the short form has every eighth one. */
const behaviours = casesOfRun(evilBehaviours, (_, index) => index % 8 === 0);

/** Most memory that a process has ever used, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]);
}

/** Processor time that the event loop of a daemon was busy without a pause, in ms. */
function busyTimes(output: string): readonly number[] {
  return [...output.matchAll(/^busy (\d+)$/gm)].map(([, time]) => Number(time));
}

it('a node that answers with all kinds of hostile replies stops neither the daemon nor the polls of other nodes', async () => {
  const { daemon, evil, become, page, probe } = await startEvilCluster();
  expect(evilBehaviours.length).toBeGreaterThanOrEqual(60);
  const atStart = daemon.stdout().length;
  for (const [name, behaviour] of behaviours) {
    const requestCount = evil.requests.length;
    become(behaviour);
    expect((await probe('evil')).status, name).toBe(200);
    expect(evil.requests.length, name).toBeGreaterThan(requestCount);
    // The replies are made in the process of the simulator, which answers late meanwhile.
    const missing = new Set(collectorNames);
    const isPolled = async (): Promise<boolean> => {
      const other = pageOf((await probe('m1')).text);
      for (const collector of missing) {
        if (other.value('probe_collector_success', { collector, node: 'm1' }) === 1) missing.delete(collector);
      }
      const isProbed = missing.size === 0 || other.value('probe_success') === 1;
      return isProbed && (await page()).value('graphdb_up', { node: 'm2' }) === 1;
    };
    await eventually(`another node is polled in spite of ${name}`, isPolled, 300_000);
  }
  const peak = await peakMemory(daemon.pid);
  const busy = Math.max(0, ...busyTimes(daemon.stdout().slice(atStart)));
  process.stdout.write(
    `${behaviours.length} behaviours, peak ${Math.round(peak / mebibyte)} MiB, event loop busy for at most ${busy} ms\n`,
  );
  // An idle machine measures up to 124 ms and 561 MiB. On a busy one, the processor time of a moment was 424 ms.
  expect(busy).toBeLessThan(1000);
  expect(peak).toBeLessThan(768 * mebibyte);
}, 1_200_000);
