import { crc32 } from 'node:zlib';
import { policySection } from '../../../src/guard/policy-section.ts';
import { GuardSimulation, type Running, settingsOf } from '../../../test/guard/decision/guard-simulation.ts';
import { runSeed } from '../../races/run-seed.ts';
import { type FuzzResult, type FuzzTarget, toBytes } from '../target.ts';

const policy = policySection.parse({
  name: 'runaway',
  mode: 'enforce',
  when: { query: 'ring_*', age: '> 20s' },
  grace: '10s',
});

/** Number of lists of a run that may be replaced: those around the match, the grace period and the abort. */
const replaceableLists = 12;
const entries = [
  '{"requestid":"65538.RESTPP_1_1.1790000000000.N","startTime":"2026-09-21 14:13:20.000","expirationTime":"2026-09-21 18:13:20.000","url":"/query/fraud/ring_scan?depth=4","elapsedTime":21000}',
  '{"requestid":"7.RESTPP_1_1.1789999000000.N","url":"/query/fraud/nightly_report","elapsedTime":1000000}',
];

/**
 * Runs a guard over honest process lists of which one is replaced by the input. The guard may abort the query that the
 * policy matches by all honest lists, and no other.
 */
function runWithReplacedList(input: string): FuzzResult {
  const replaced = crc32(toBytes(input)) % replaceableLists;
  const body = parsed(input);
  let lists = 0;
  const simulation = new GuardSimulation(settingsOf([policy]), {
    body: (honest) => {
      lists += 1;
      return lists === replaced + 1 ? body : { error: false, results: honest };
    },
  }).begin();
  const victim = simulation.start();
  const others: readonly Running[] = [
    simulation.start({ url: '/query/fraud/nightly_report', age: 1_000_000 }),
    simulation.start({ url: '/query/fraud/ring_short', lasts: 15_000 }),
    simulation.start({ url: '/query/sandbox/pagerank', age: 40_000 }),
  ];
  simulation.run(60_000);
  const wrong = simulation.aborts.filter(({ order }) => order.id !== victim.id);
  if (wrong.length > 0 || simulation.aborts.length > 1) {
    const ids = simulation.aborts.map(({ order }) => order.id);
    throw new Error(
      `aborts ${JSON.stringify(ids)} with list ${replaced}; others: ${others.map(({ id }) => id).join()}`,
    );
  }
  const aborts = simulation.aborts.length;
  return { outcome: `${aborts} aborts after ${lists} lists`, counts: { lists, aborts, 'wrong aborts': 0 } };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(toBytes(input).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The guard: one list of a run, and whole runs with faults. */
export const guardTargets: readonly FuzzTarget[] = [
  {
    name: 'guard-list',
    about: 'Process lists that the guard decides on: one mutated list among honest ones.',
    seeds: () => [
      `{"error":false,"results":[${entries.join(',')}]}`,
      `{"error":false,"results":[${entries[0]}]}`,
      '{"error":false,"results":[]}',
      '{"error":true,"message":"x"}',
    ],
    open: async () => ({ run: async (input) => runWithReplacedList(input) }),
  },
  {
    name: 'guard-runs',
    about: 'Simulated clusters with faults, as in `npm run races`; the input is the seed.',
    seeds: () => ['0', '1', '2'],
    open: async () => ({
      run: async (input) => {
        const seed = crc32(toBytes(input));
        const { kind, findings, aborts, victims, aborted } = runSeed(seed);
        if (findings.length > 0) throw new Error(`seed ${seed}: ${JSON.stringify(findings)}`);
        return {
          outcome: `${kind} ${aborts}`,
          counts: { aborts, victims, 'aborted victims': aborted, 'wrong aborts': 0 },
        };
      },
    }),
  },
];
