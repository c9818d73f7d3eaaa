import { describe, expect, it } from 'vitest';
import { createGuard } from '../../../src/guard/decision/create-guard.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import type { GuardOutput } from '../../../src/guard/decision/output.ts';
import {
  compileParamConditions,
  conditionSections,
  paramConditionsOf,
} from '../../../src/guard/recording/param-conditions.ts';
import { createRedaction } from '../../../src/guard/recording/recorder.ts';
import { fitToRecording, recordedListBody } from '../../../src/guard/recording/replay-adapter.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { at, entryOf, idAt } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';
import { headerOf } from './recordings.ts';

const depths = policyOf({ name: 'deep', when: { params: { depth: ['4*', '9'], mode: 'full' } }, clusters: ['prod'] });
const gated = policyOf({ name: 'gated', gate: { any: [{ queue_depth: '> 20', for: '1m' }] } });
const elsewhere = policyOf({ name: 'elsewhere', clusters: ['test'] });
const old = policyOf({ name: 'old', mode: 'enforce' });
const settings = settingsOf([depths, gated, elsewhere, old]);
const clauses = [
  { param: 'mode', patterns: ['full'] },
  { param: 'depth', patterns: ['4*', '9'] },
];

describe('guard adapted to a recording', () => {
  it('uses the recorded results of clauses that the header lists', () => {
    const { settings: fitted, guesses } = fitToRecording(settings, headerOf({ clauses, gates: ['queue_depth'] }));
    expect(fitted.policies.map(({ name, mode }) => [name, mode])).toEqual([
      ['deep', 'observe'],
      ['gated', 'observe'],
      ['old', 'enforce'],
    ]);
    const itself = [{ kind: 'glob', text: 'true' }];
    expect(fitted.policies[0]?.when).toEqual({ params: { c1: itself, c0: itself } });
    expect(fitted.policies[1]).toEqual(gated);
    expect(guesses).toEqual([]);
  });

  it('uses the effective modes, or enforces all policies', () => {
    const header = headerOf({ clauses, gates: ['queue_depth'] });
    const modes = (guard: typeof settings, enforceAll: boolean) =>
      fitToRecording(guard, header, { enforceAll }).settings.policies.map(({ mode }) => mode);
    expect(modes(settings, true)).toEqual(['enforce', 'enforce', 'enforce']);
    expect(modes({ ...settings, mode: 'observe' }, false)).toEqual(['observe', 'observe', 'observe']);
    expect(modes({ ...settings, mode: 'observe' }, true)).toEqual(['enforce', 'enforce', 'enforce']);
  });

  it('drops a policy that the recording cannot answer, and evaluates it separately as a guess', () => {
    const { settings: fitted, guesses } = fitToRecording(settings, headerOf({ clauses: clauses.slice(0, 1) }));
    expect(fitted.policies.map(({ name }) => name)).toEqual(['old']);
    expect(guesses.map(({ unanswered }) => unanswered)).toEqual([
      { policy: 'deep', lacks: ['when.params.depth like 4* or 9'] },
      { policy: 'gated', lacks: ['gate.queue_depth'] },
    ]);
    const [deep, queued] = guesses.map((one) => one.settings);
    expect(deep).toMatchObject({ mode: 'observe', policies: [{ when: { params: { c0: [{ text: 'true' }] } } }] });
    expect(queued?.policies[0]).not.toHaveProperty('gate');
  });

  it('does not evaluate relief', () => {
    expect(fitToRecording(settings, headerOf()).settings.breakers.noRelief.aborts).toBe(Number.POSITIVE_INFINITY);
  });
});

const urls = [
  '/query/fraud/ring_scan?depth=4&mode=full',
  '/query/fraud/ring_scan?depth=%34&mode=full',
  '/query/fraud/ring_scan?depth=4&depth=5&mode=full',
  '/query/fraud/ring_scan?depth=%zz&mode=full',
  '/query/fraud/ring_scan',
  '/restpp/query/sandbox/adhoc_1?mode=full&depth=9',
  '/query/nowhere/adhoc_1?mode=full&depth=9',
  '/query/fraud/ring_scan/more?depth=4',
  '/gsqlserver/interpreted_query?depth=4',
  '/echo',
];
const oddities = [
  { requestid: '.*' },
  { requestid: undefined },
  { url: '' },
  { startTime: 'now' },
  { elapsedTime: '1e3' },
  { elapsedTime: -1 },
  { elapsedTime: 99_000_000 },
  { expirationTime: null },
  { expirationTime: '2026-09-21 14:13:19.000' },
  { method: 'GET' },
  { method: 'get' },
];
const envelopes = [
  (results: readonly unknown[]) => ({ error: 'true', results }),
  () => ({ results: 'none' }),
  (results: readonly unknown[]) => ({ error: 7, results }),
  (results: readonly unknown[]) => ({ results: [...results, ...results.slice(0, 1)] }),
  (results: readonly unknown[]) => ({ results: [...results, entryOf({ requestid: idAt(0, 5, 'RESTPP_9_9') })] }),
];

/** Twenty lists of whatever may run, and odd ones among them. */
function randomInputs(seed: number): readonly (GuardInput & { readonly kind: 'listed' })[] {
  const random = seededRandom(seed);
  const upTo = (most: number): number => Math.floor(random.next() * (most + 1));
  const queries = Array.from({ length: upTo(6) }, (_, serial) => ({
    serial,
    from: upTo(60_000) - 60_000,
    url: urls[upTo(urls.length - 1)],
    odd: upTo(5) === 0 ? oddities[upTo(oddities.length - 1)] : {},
    other: upTo(5) === 0 ? urls[upTo(urls.length - 1)] : undefined,
  }));
  return Array.from({ length: 20 }, (_, cycle) => {
    const time = cycle * 5000;
    const results = queries.map(({ serial, from, url, odd, other }) =>
      entryOf({
        requestid: idAt(from, serial + 1),
        url: cycle > 10 ? (other ?? url) : url,
        elapsedTime: time - from,
        expirationTime: '2026-09-21 18:13:20.000',
        ...odd,
      }),
    );
    const envelope = upTo(9) === 0 ? envelopes[upTo(envelopes.length - 1)] : undefined;
    const body = envelope?.(results) ?? { error: false, results };
    const times = { started: at(time), received: at(time + upTo(20) * 10 + (upTo(19) === 0 ? 4000 : 0)) };
    return { kind: 'listed', node: 'n1', body, times, connection: '10.0.0.1:9' };
  });
}

const policies = [
  policyOf({ name: 'p', when: { params: { depth: ['4*', '9'], mode: 'full' } }, grace: '5s', cooldown: '5s' }),
  policyOf({ name: 'q', when: { method: 'GET', age: '> 20s' }, grace: '0s', cooldown: '5s' }),
  policyOf({ name: 'r', when: { granted_timeout: '> 1m', age: '> 30s' }, grace: '5s', cooldown: '5s' }),
];

function outputsOf(guard: ReturnType<typeof createGuard>, inputs: readonly GuardInput[]): readonly GuardOutput[] {
  let { initial: state } = guard;
  const outputs: GuardOutput[] = [];
  const take = (input: GuardInput, now = at(0)): void => {
    const step = guard.step(state, input, now);
    state = step.state;
    outputs.push(...step.outputs);
  };
  take({ kind: 'graphs', names: ['fraud', 'sandbox'] });
  take({
    kind: 'restored',
    kept: { intents: [], breakers: [], breakerResets: {}, abortsWithoutRelief: {}, offsets: {}, isPaused: false },
  });
  for (const input of inputs) take(input, input.kind === 'listed' ? input.times.received : at(0));
  return outputs;
}

const sections = conditionSections(settingsOf(policies), policies);

/** What the guard says to what is listed, and to what is left of that in a recording. */
function livingAndReplayed(seed: number, instances: Readonly<Record<string, string>>) {
  const guard = settingsOf(policies, { mode: 'observe' });
  const about = { cluster: 'prod', nodes: ['n1'], instances, interval: 5000 };
  const fitted = fitToRecording(guard, headerOf({ clauses: paramConditionsOf(sections), instances }));
  const inputs = randomInputs(seed);
  const redact = createRedaction(compileParamConditions(sections));
  const recorded = inputs.map((input) => {
    const list = JSON.parse(JSON.stringify(redact(input.node, input.body)));
    return { ...input, body: recordedListBody(list) };
  });
  return {
    live: outputsOf(createGuard(guard, about), inputs),
    replayed: outputsOf(createGuard(fitted.settings, about), recorded),
  };
}

const runs = numberOfRuns({ short: 100, campaign: 400 });

describe('recorded list', () => {
  it(`has the same result as the original list in ${runs} runs`, () => {
    let reported = 0;
    for (let seed = 1; seed <= runs; seed += 1) {
      const { live, replayed } = livingAndReplayed(seed, { n1: 'RESTPP_1_1' });
      expect(replayed, `seed ${seed}`).toEqual(live);
      reported += live.filter(({ kind }) => kind === 'would_abort').length;
    }
    expect(reported).toBeGreaterThan(runs / 2);
  });

  it(`is invalid like the original if it names two unknown instances, in ${runs / 2} runs`, () => {
    let rejectedLists = 0;
    for (let seed = 1001; seed <= 1000 + runs / 2; seed += 1) {
      const { live, replayed } = livingAndReplayed(seed, {});
      expect(replayed, `seed ${seed}`).toEqual(live);
      rejectedLists += live.filter((one) => one.kind === 'skipped' && one.reason === 'foreign_instance').length;
    }
    expect(rejectedLists).toBeGreaterThan(runs / 20);
  });
});
