import { expect, it } from 'vitest';
import { casesOfRun, itInShortForm } from '../support/campaign.ts';
import { type RaceResult, type RaceSettings, runRaceScenario } from './race-scenario.ts';

const hour = 3_600_000;
const each = {
  long: 3,
  finishes_in_grace: 2,
  finishes_beside: 6,
  comes_again: 6,
  comes_again_later: 2,
  twin: 2,
  node_restarts: 8,
  protected: 1,
  observed: 1,
  short_grant: 1,
  other_graph: 1,
} as const;
const queues = { long: 2, queued: 10, protected: 1, observed: 1 } as const;

const narrow = { maxConcurrentQueries: 8, maxDelayQueueSize: 200 };

const results: readonly (readonly [string, Omit<RaceSettings, 'seed'>])[] = [
  ['a calm day', { kinds: each }],
  ['servers that are 6 h ahead', { kinds: each, simulated: { clockSkew: 6 * hour } }],
  ['servers that are 7 h behind', { kinds: each, simulated: { clockSkew: -7 * hour } }],
  ['instances that are learnt', { kinds: each, learnsInstances: true }],
  ['servers whose clocks are set', { kinds: each, setsClocks: true }],
  ['slow lists of one node', { kinds: each, slowLists: 2000 }],
  ['a rush of other queries', { kinds: each, simulated: { scenario: 'queue_storm' } }],
  ['queues', { kinds: queues, simulated: narrow }],
  ['queues of servers that are ahead', { kinds: queues, simulated: { ...narrow, clockSkew: 5 * hour } }],
];
const verdicts: RaceResult[] = [];

/** Scenes of the short form; the others are in the campaign. */
const short = ['servers whose clocks are set', 'queues of servers that are ahead'];

it.each(casesOfRun(results, ([name]) => short.includes(name)))(
  'guard aborts only queries that the policy matches: %s',
  async (name, settings) => {
    const seed = 11 + results.findIndex(([other]) => other === name);
    const verdict = await runRaceScenario({ seed, ...settings });
    verdicts.push(verdict);
    const { races, correctAborts, aborted, tooLate } = verdict;
    process.stdout.write(
      `${name}, seed ${seed}: ${JSON.stringify(races)}, ${aborted} of ${correctAborts}, ${tooLate} too late\n`,
    );
    expect(verdict.wrongAborts).toEqual([]);
    expect(correctAborts).toBeGreaterThanOrEqual(10);
    expect(aborted / correctAborts).toBeGreaterThanOrEqual(0.95);
  },
);

itInShortForm('guard sends no abort in observe mode in the same races', async () => {
  const { correctAborts, requests, aborted } = await runRaceScenario({ seed: 40, kinds: each, isObserving: true });
  expect(correctAborts).toBeGreaterThanOrEqual(10);
  expect([requests, aborted]).toEqual([0, 0]);
});

it('the runs contain many races, and in some of them the query ends before the abort arrives', () => {
  const races = verdicts.flatMap((one) => Object.values(one.races)).reduce((sum, count) => sum + count, 0);
  const tooLate = verdicts.reduce((sum, one) => sum + one.tooLate, 0);
  process.stdout.write(
    `${races} races in all, of which ${tooLate} were lost against the query by the way that an abort takes\n`,
  );
  expect(races).toBeGreaterThanOrEqual(50 * verdicts.length);
  expect(tooLate).toBeGreaterThanOrEqual(verdicts.length);
});
