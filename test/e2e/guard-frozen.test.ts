import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readJson } from '../support/http.ts';
import { abortCalls } from './guard-environment.ts';

const minAge = 3000;
const grace = 6000;
const longestGap = 30_000;
const lists = /showprocesslistall/;

function settingsFor({ nodes }: Simulator, stateDir: string): string {
  const policy = {
    name: 'runaway',
    mode: 'enforce',
    when: { query: 'frozen_*', age: `> ${minAge}ms` },
    grace: `${grace}ms`,
  };
  return stringify({
    listen: '127.0.0.1:0',
    state_dir: stateDir,
    clusters: [{ name: 'prod', nodes: nodes.map(({ name, url, instance }) => ({ name, url, instance })) }],
    collectors: { queries: { interval: '1s', timeout: '1s' } },
    guard: {
      mode: 'enforce',
      policies: [{ ...policy, confirm: { observations: 2, apart: '1s' }, victims: { max: 9 }, cooldown: '0s' }],
    },
  });
}

const decisions = z.object({ total: z.number() });

it('guard aborts only queries that still match after its process was frozen, and lists again within 30 s', async () => {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const daemon = await startDaemon(settingsFor(simulator, 'state'));
  // A frozen process would not stop.
  onTestFinished(() => void process.kill(daemon.pid, 'SIGCONT'));
  const start = (query: string, runsFor: number) =>
    simulator.control.startQuery({ node: 'm1', graph: 'fraud', query, runsFor, timeout: 900_000 });
  const listCalls = () => simulator.calls().filter(({ path }) => lists.test(path));

  const lasting = start('frozen_lasting', 600_000);
  const ending = start('frozen_ending', minAge + grace - 1000);
  await eventually('both are in their grace period', async () => {
    const { total } = decisions.parse(await readJson(`${daemon.url}/api/v1/guard/decisions`));
    return total === 2;
  });
  const release = await simulator.control.injectFault('hang_before_headers', { path: lists });
  await eventually('a list is under way', () => Promise.resolve(listCalls().at(-1)?.status === undefined));
  process.kill(daemon.pid, 'SIGSTOP');
  await release();
  // Longer than the earliest abort time of both, and than the end of one.
  await eventually('it is over', () => Promise.resolve(Date.now() > (ending?.startedAt ?? 0) + minAge + grace + 3000));
  expect(abortCalls(simulator)).toEqual([]);
  const young = start('frozen_young', 600_000);
  const wokenAt = Date.now();
  process.kill(daemon.pid, 'SIGCONT');

  await eventually('the others are aborted', () => Promise.resolve(simulator.aborts().length === 2));
  expect(simulator.aborts().map(({ requestId }) => requestId)).toEqual([lasting?.requestId, young?.requestId]);
  expect(
    abortCalls(simulator)
      .map(({ path }) => path)
      .join(' '),
  ).not.toContain(ending?.requestId ?? '');
  const [, abortOfYoung] = simulator.aborts();
  expect(abortOfYoung?.at).toBeGreaterThanOrEqual((young?.startedAt ?? Number.NaN) + minAge + grace);
  const after = listCalls().flatMap(({ at }) => (at >= wokenAt ? [at] : []));
  const gaps = after.map((at, index) => at - (after[index - 1] ?? wokenAt));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(longestGap);
});
