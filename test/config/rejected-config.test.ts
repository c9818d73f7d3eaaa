import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { LoadedConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { restrictConfig } from '../../src/config/rejected-config.ts';
import { environmentReference } from '../../src/graphdb/settings-fields.ts';
import { createMatcher } from '../../src/guard/matcher.ts';
import { effectiveMode, policiesForCluster } from '../../src/guard/policy.ts';
import { candidate, matchInputOf } from '../guard/match-inputs.ts';

type Section = Readonly<Record<string, unknown>>;

const runaway = { name: 'runaway', mode: 'enforce', when: { query: 'adhoc_*', age: '> 10m' } };
const greedy = { name: 'greedy', mode: 'enforce', when: { graph: 'sandbox', age: '> 20m' } };
const nightly = { query: 'nightly_*' };
const guard = { mode: 'enforce', protect: [nightly], policies: [runaway, greedy] };
const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }] }];
const settings: Section = { clusters, log: { level: 'info' }, guard };

const accepted = loaded(settings);

function loaded(value: Section): LoadedConfig {
  const result = loadConfig(stringify(value), 'graphwarden.yml', {});
  if (!result.ok) throw new Error(formatProblems(result.error));
  return result.value;
}

/** Returns the active configuration while the file has this text, which must be rejected. */
function restricted(text: string | undefined) {
  const problems = text === undefined ? [] : problemsOf(text);
  const { guard: inForce, rejection } = restrictConfig(accepted, { text, problems, since: 1000 }, {});
  return {
    enforcing: inForce.policies.filter((one) => effectiveMode(inForce, one) === 'enforce').map(({ name }) => name),
    policies: inForce.policies.map(({ name }) => name),
    protect: inForce.protect,
    isPaused: rejection?.isGuardUnreadable,
  };
}

function problemsOf(text: string) {
  const result = loadConfig(text, 'graphwarden.yml', {});
  if (result.ok) throw new Error('the file is accepted');
  return result.error;
}

/** Ways to break a file outside its guard section: each gets a file that is accepted. */
const breaks: readonly (readonly [name: string, apply: (value: Section) => string])[] = [
  ['an unknown key', (value) => stringify({ ...value, lisen: 'x' })],
  ['an invalid value', (value) => stringify({ ...value, log: { level: 'loud' } })],
  ['clusters without nodes', (value) => stringify({ ...value, clusters: [{ name: 'prod' }] })],
  [
    'a variable that is not set',
    (value) => stringify({ ...value, state_dir: `/var/${environmentReference('UNSET')}` }),
  ],
  ['a duplicate key', (value) => `log: {}\n${stringify(value)}`],
  ['an open bracket before it', (value) => `operators: [alice\n${stringify(value)}`],
  ['an open quote after it', (value) => `${stringify(value)}operators: ["alice]\n`],
  ['a tab as indentation', (value) => `limits:\n\tbody: 1MiB\n${stringify(value)}`],
  ['a second document', (value) => `${stringify(value)}---\na: 1\n`],
];

const both = ['runaway', 'greedy'];

/** Guard sections with what they leave of the accepted guard. */
const sections: readonly (readonly [
  name: string,
  guard: Section | undefined,
  expected: { readonly policies: readonly string[]; readonly enforcing: readonly string[] },
])[] = [
  ['repeats the guard', guard, { policies: both, enforcing: both }],
  ['sets the guard to observe', { ...guard, mode: 'observe' }, { policies: both, enforcing: [] }],
  ['has no mode', { protect: [nightly], policies: [runaway, greedy] }, { policies: both, enforcing: [] }],
  ['has a misspelled mode', { ...guard, mode: 'enforec' }, { policies: both, enforcing: [] }],
  ['removes a policy', { ...guard, policies: [greedy] }, { policies: both, enforcing: ['greedy'] }],
  ['removes the last policy', { ...guard, policies: [runaway] }, { policies: ['runaway'], enforcing: ['runaway'] }],
  ['removes all policies', { ...guard, policies: [] }, { policies: [], enforcing: [] }],
  ['removes the list of policies', { mode: 'enforce' }, { policies: [], enforcing: [] }],
  [
    'sets a policy to observe',
    { ...guard, policies: [{ ...runaway, mode: 'observe' }, greedy] },
    { policies: both, enforcing: ['greedy'] },
  ],
  [
    'narrows a policy',
    { ...guard, policies: [{ ...runaway, when: { query: 'adhoc_x', age: '> 10m' } }, greedy] },
    { policies: both, enforcing: ['greedy'] },
  ],
  [
    'has an invalid policy',
    { ...guard, policies: [{ ...runaway, grace: 'soon' }, greedy] },
    { policies: both, enforcing: ['greedy'] },
  ],
  [
    'has a policy without its name',
    { ...guard, policies: [{ mode: 'enforce', when: runaway.when }, greedy] },
    { policies: both, enforcing: ['greedy'] },
  ],
  [
    'has a policy twice, once in mode observe',
    { ...guard, policies: [runaway, greedy, { ...runaway, mode: 'observe' }] },
    { policies: both, enforcing: ['greedy'] },
  ],
  [
    'adds a policy',
    { ...guard, policies: [{ ...greedy, name: 'new' }, runaway, greedy] },
    { policies: both, enforcing: both },
  ],
  ['raises a budget', { ...guard, budgets: { per_node: { max: 50 } } }, { policies: both, enforcing: both }],
  ['has an invalid budget', { ...guard, budgets: { per_node: { max: 0 } } }, { policies: both, enforcing: [] }],
  ['has an invalid circuit breaker', { ...guard, breakers: 'none' }, { policies: both, enforcing: [] }],
];

describe.each(breaks)('a rejected file with %s', (_, apply) => {
  it.each(sections)('and a guard section that %s', (_name, section, expected) => {
    const { policies, enforcing, isPaused } = restricted(apply({ ...settings, guard: section }));
    expect({ policies, enforcing, isPaused }).toEqual({ ...expected, isPaused: false });
  });

  it('a rejected configuration applies the additional protect entries of the file', () => {
    const protect = [{ query: 'new_*' }];
    const { protect: inForce, enforcing } = restricted(apply({ ...settings, guard: { ...guard, protect } }));
    expect(inForce).toHaveLength(2);
    expect(inForce).toEqual(expect.arrayContaining([...accepted.guard.protect]));
    expect(enforcing).toEqual(both);
  });

  it('observes if the protected queries cannot be read', () => {
    const { enforcing } = restricted(apply({ ...settings, guard: { ...guard, protect: [{ qery: 'new_*' }] } }));
    expect(enforcing).toEqual([]);
  });

  it.each([
    [
      'lowers the budgets',
      { budgets: { per_node: { max: 1 }, per_cluster: { within: '1h' } } },
      { perNode: { max: 1, within: 600_000 }, perCluster: { max: 6, within: 3_600_000 } },
      accepted.guard.breakers,
    ],
    [
      'lowers the circuit breakers',
      { breakers: { same_query: { aborts: 1, within: '2h' }, no_relief: { aborts: 1 } } },
      accepted.guard.budgets,
      { sameQuery: { aborts: 1, within: 7_200_000 }, noRelief: { aborts: 1 } },
    ],
    [
      'raises the budgets and the circuit breakers',
      {
        budgets: { per_node: { max: 50, within: '1m' }, per_cluster: { max: 50, within: '1m' } },
        breakers: { same_query: { aborts: 50, within: '1m' }, no_relief: { aborts: 50 } },
      },
      accepted.guard.budgets,
      accepted.guard.breakers,
    ],
  ])('and a guard section that %s never raises a limit', (_name, limits, budgets, breakers) => {
    const text = apply({ ...settings, guard: { ...guard, ...limits } });
    const inForce = restrictConfig(accepted, { text, problems: problemsOf(text), since: 1000 }, {}).guard;
    expect(inForce).toMatchObject({ mode: 'enforce', budgets, breakers });
  });

  it.each([
    ['is no mapping', 'enforce'],
    ['has policies that are no list', { ...guard, policies: { runaway } }],
  ])('pauses the guard if its section %s', (_name, section) => {
    expect(restricted(apply({ ...settings, guard: section })).isPaused).toBe(true);
  });
});

describe('a rejected file', () => {
  it('removes the guard if it has no guard section', () => {
    expect(restricted(stringify({ clusters, lisen: 'x' }))).toMatchObject({ policies: [], isPaused: false });
    expect(restricted(`${stringify({ clusters, lisen: 'x' })}guard:\n`)).toMatchObject({
      policies: [],
      isPaused: false,
    });
  });

  it.each([
    ['cannot be read', undefined],
    ['is empty', ''],
    ['is a text', 'guard'],
    ['is cut off in the guard section', `${stringify({ clusters })}guard:\n  mode: "enf`],
    ['has a syntax error in the guard section', `${stringify({ clusters })}guard:\n  mode: enforce\n  policies: [{\n`],
    ['has a syntax error and no guard section', `operators: [\n${stringify({ clusters })}`],
    ['has a syntax error and two guard sections', `operators: [\n${stringify({ guard })}${stringify({ guard })}`],
    ['has two guard sections', `${stringify({ clusters, guard })}${stringify({ guard: {} })}`],
    ['is JSON with a syntax error', `${JSON.stringify(settings)}}`],
    ['is larger than the limit', `${stringify(settings)}# ${'x'.repeat(2 ** 20)}`],
  ])('pauses the guard if it %s', (_, text) => {
    expect(restricted(text)).toMatchObject({ policies: both, isPaused: true });
  });

  it('restricts a policy that another section makes impossible', () => {
    const cluster = { ...clusters[0], read_auth: { bearer_token_file: 'token' } };
    expect(restricted(stringify({ ...settings, clusters: [cluster] })).enforcing).toEqual([]);
    const withoutLists = { ...settings, collectors: { queries: { enabled: false } } };
    expect(restricted(stringify(withoutLists)).enforcing).toEqual([]);
  });

  it('only observes if the guard has problems that are counted but not described', () => {
    const wrong = Array.from({ length: 200 }, (_, n) => ({ name: `p${n}`, mode: 'loud' }));
    const others = { operators: Array.from({ length: 200 }, () => 1) };
    expect(restricted(stringify({ ...settings, ...others })).enforcing).toEqual(both);
    const text = stringify({ ...settings, guard: { ...guard, policies: [runaway, greedy, ...wrong] } });
    expect(restricted(text)).toMatchObject({ policies: both, enforcing: [] });
  });

  it.each([
    ['changes', [{ ...runaway, grace: '1h' }, greedy]],
    ['removes', [greedy]],
  ])('that %s a policy lets no other policy abort its queries', (_, policies) => {
    const text = stringify({ ...settings, guard: { ...guard, policies }, lisen: 'x' });
    const inForce = restrictConfig(accepted, { text, problems: problemsOf(text), since: 1000 }, {}).guard;
    const shared = candidate({ url: '/query/sandbox/adhoc_paths', age: 3_600_000 });
    const own = candidate({ url: '/query/sandbox/other', age: 3_600_000 });
    const { matches } = createMatcher(inForce, 'prod')(matchInputOf([shared, own]));
    expect(inForce.policies.map(({ isRestricted }) => isRestricted)).toEqual([true, undefined]);
    const owners = matches.filter(({ owns }) => owns).map((match) => [match.candidate, match.policy.name, match.mode]);
    expect(owners).toEqual([
      [shared, 'runaway', 'observe'],
      [own, 'greedy', 'enforce'],
    ]);
  });

  it('pauses the guard if it has more policies than a list may have', () => {
    const policies = [runaway, greedy, ...Array.from({ length: 1000 }, () => ({}))];
    expect(restricted(stringify({ ...settings, guard: { ...guard, policies } })).isPaused).toBe(true);
    const receivers = Array.from({ length: 1001 }, () => ({}));
    expect(restricted(stringify({ ...settings, alerts: { receivers } }))).toMatchObject({
      enforcing: both,
      isPaused: false,
    });
  });

  it('keeps everything but the guard as it was accepted', () => {
    const text = stringify({ ...settings, guard: {}, log: { level: 'debug' }, lisen: 'x' });
    const problems = problemsOf(text);
    const { guard: _, rejection, ...rest } = restrictConfig(accepted, { text, problems, since: 1000 }, {});
    const { guard: __, ...expected } = accepted;
    expect(rest).toEqual(expected);
    expect(rejection).toEqual({ since: 1000, problems, isGuardUnreadable: false });
  });
});

describe('a rejected file without a cluster of the guard', () => {
  const test = { ...clusters[0], name: 'test', nodes: [{ name: 'm1', url: 'http://127.0.0.1:2' }] };
  const policies = [
    { ...runaway, clusters: ['prod', 'test'] },
    { ...greedy, clusters: ['test'] },
  ];
  const two: Section = { clusters: [...clusters, test], log: { level: 'info' }, guard: { ...guard, policies } };
  const covered = (text: string) => {
    const inForce = restrictConfig(loaded(two), { text, problems: problemsOf(text), since: 1000 }, {}).guard;
    const names = ['prod', 'test'].map((cluster) => policiesForCluster(inForce, cluster).map(({ name }) => name));
    return { mode: inForce.mode, names };
  };

  it.each(breaks.filter(([name]) => name !== 'clusters without nodes'))('with %s removes its policies', (_, apply) => {
    expect(covered(apply(two))).toEqual({ mode: 'enforce', names: [['runaway'], both] });
    expect(covered(apply({ ...two, clusters }))).toEqual({ mode: 'enforce', names: [['runaway'], []] });
  });

  it.each([
    ['removes all clusters', { ...two, clusters: [] }],
    ['has no clusters', { ...two, clusters: undefined }],
    ['has clusters that are no list', { ...two, clusters: 'prod' }],
  ])('removes the policies of all clusters if it %s', (_, value) => {
    expect(covered(stringify(value)).names).toEqual([[], []]);
  });

  const signed = { ...test, abort_auth: { bearer_token_file: 'token' } };
  const larger = { ...signed, nodes: [...test.nodes, { name: 'm2', url: 'http://127.0.0.1:3' }] };

  it.each([
    ['its credentials for aborts', signed, test],
    ['empty credentials for aborts', signed, { ...signed, abort_auth: null }],
    ['one of its nodes', larger, signed],
  ])('or with the cluster without %s removes the policies of the cluster', (_, before, after) => {
    const inForce = (clusterAfter: Section, apply: (value: Section) => string) => {
      const base = loaded({ ...two, clusters: [...clusters, before] });
      const text = apply({ ...two, clusters: [...clusters, clusterAfter] });
      return policiesForCluster(
        restrictConfig(base, { text, problems: problemsOf(text), since: 1000 }, {}).guard,
        'test',
      );
    };
    for (const [, apply] of breaks.filter(([name]) => name !== 'clusters without nodes')) {
      expect(inForce(before, apply).map(({ name }) => name)).toEqual(both);
      expect(inForce(after, apply)).toEqual([]);
    }
  });

  it('observes if its clusters cannot be read', () => {
    const text = `${stringify({ ...two, clusters: undefined })}clusters: [{\n`;
    expect(covered(text)).toEqual({ mode: 'observe', names: [['runaway'], both] });
  });
});
