import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { checkGuard } from '../../src/config/guard-checks.ts';

const prod = { name: 'prod' };
const test = { name: 'test' };
const when = { age: '> 10m' };

function found(value: unknown): readonly string[] {
  return checkGuard(value, collectors).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function withPolicies(policies: unknown, more: object = {}): readonly string[] {
  return found({ clusters: [prod], ...more, guard: { policies } });
}

function auditProblem(least: string): readonly string[] {
  return [
    `state.retention.audit: must be ${least} or longer, the longest period of guard.budgets and guard.breakers: aborts are counted in the audit`,
  ];
}

it('the audit must be as long as the longest period in which aborts are counted', () => {
  const audit = (kept: string, guard: object) =>
    found({
      clusters: [prod],
      state: { retention: { audit: kept } },
      guard: { policies: [{ name: 'a', when }], ...guard },
    });
  expect(audit('400ms', {})).toEqual(auditProblem('15m'));
  expect(audit('15m', {})).toEqual([]);
  expect(audit('1d', { budgets: { per_node: { within: '2d' } } })).toEqual(auditProblem('2d'));
  expect(audit('1d', { breakers: { same_query: { within: '7d' } } })).toEqual(auditProblem('7d'));
  expect(audit('soon', {})).toEqual([]);
  expect(audit('400ms', { policies: [] })).toEqual([]);
});

describe('policies', () => {
  it('need no clusters if there is one', () => {
    expect(withPolicies([{ name: 'a', when }])).toEqual([]);
  });

  it('need clusters if there are several', () => {
    const several = { clusters: [prod, test] };
    expect(withPolicies([{ name: 'a' }, { name: 'b', clusters: ['test'] }], several)).toEqual([
      'guard.policies.0: requires clusters, because several are configured; list their names (no globs)',
    ]);
  });

  it.each([
    [['prod'], []],
    [['prod', 'prdo'], ['guard.policies.0.clusters.1: is not the name of a cluster']],
    [['*'], ['guard.policies.0.clusters.0: is not the name of a cluster']],
    [['Prod'], ['guard.policies.0.clusters.0: is not the name of a cluster']],
  ])('with the clusters %j: %j', (clusters, complaints) => {
    expect(withPolicies([{ name: 'a', clusters }])).toEqual(complaints);
  });

  it('have unique names', () => {
    expect(withPolicies([{ name: 'a' }, { name: 'b' }, { name: 'a' }, {}, {}])).toEqual([
      'guard.policies.2.name: is already the name of policies[0]; choose another name',
    ]);
  });

  it('notify only receivers that exist', () => {
    const alerts = { receivers: [{ name: 'oncall' }, null] };
    expect(withPolicies([{ name: 'a', notify: ['oncall', 'oncal'] }], { alerts })).toEqual([
      'guard.policies.0.notify.1: is not the name of a receiver in alerts.receivers',
    ]);
    expect(withPolicies([{ name: 'a', notify: ['oncall'] }])).toEqual([
      'guard.policies.0.notify.0: is not the name of a receiver in alerts.receivers',
    ]);
  });

  it('have gates that can open', () => {
    expect(withPolicies([{ name: 'a', gate: { any: [{ queue_depth: '> 9', for: '1s' }] } }])).toEqual([
      'guard.policies.0.gate.any.0.for: must be at least 10s: queue_depth has a new value every 5s, and the gate needs 2 values',
    ]);
  });
});

describe('enforce', () => {
  const auth = { read_auth: { bearer_token: 't' } };
  const both = { ...auth, abort_auth: { bearer_token: 't' } };

  // The safer of both modes decides, and only what can show itself has to.
  it.each([
    ['enforce', 'enforce', auth, 1],
    ['enforce', 'enforce', both, 0],
    ['enforce', 'enforce', {}, 0],
    ['enforce', 'observe', auth, 0],
    ['enforce', undefined, auth, 0],
    ['observe', 'enforce', auth, 0],
    [undefined, 'enforce', auth, 0],
  ])('%s and %s with %j: %i complaints', (guard, mode, given, count) => {
    const value = { clusters: [{ ...prod, ...given }], guard: { mode: guard, policies: [{ name: 'a', mode }] } };
    expect(found(value)).toEqual(
      Array.from(
        { length: count },
        () =>
          'guard.policies.0.mode: requires abort_auth, because clusters[0] has read_auth; set clusters[0].abort_auth, or set the mode to observe',
      ),
    );
  });

  it.each([
    ['enforce', ['prod'], []],
    [
      'enforce',
      ['test'],
      [
        'guard.policies.0.gate: never opens, because no node of clusters[1] has a host_id; set the host_id that the server reports',
      ],
    ],
    ['observe', ['test'], []],
  ])('%s in %j checks the gates of each cluster: %i complaints', (mode, wanted, complaints) => {
    const clusters = [
      { ...prod, nodes: [{ name: 'm1', host_id: 'h1' }] },
      { ...test, nodes: [{ name: 'm1' }] },
    ];
    const gate = { all: [{ node_memory: '> 0.9', for: '2m' }] };
    const policies = [{ name: 'a', mode, clusters: wanted, gate }];
    expect(found({ clusters, guard: { mode: 'enforce', policies } })).toEqual(complaints);
  });

  it('is checked only for the clusters of the policy', () => {
    const clusters = [
      { ...prod, ...both },
      { ...test, ...auth },
    ];
    const policies = [
      { name: 'a', mode: 'enforce', clusters: ['prod'] },
      { name: 'b', mode: 'enforce', clusters: ['prod', 'test'] },
    ];
    expect(found({ clusters, guard: { mode: 'enforce', policies } })).toEqual([
      'guard.policies.1.mode: requires abort_auth, because clusters[1] has read_auth; set clusters[1].abort_auth, or set the mode to observe',
    ]);
  });
});

describe('one node', () => {
  const guard = {
    budgets: { per_cluster: { max: 6 } },
    policies: [
      { name: 'a', group: { by: ['graph'], count: '> 1' } },
      { name: 'b', group: { by: ['graph', 'node'], count: '> 1' } },
      { name: 'c', group: { count: '> 1' } },
    ],
  };

  it('rejects a budget of the cluster, and a group across nodes', () => {
    expect(found({ clusters: [prod], scope: 'node', guard })).toEqual([
      'guard.budgets.per_cluster: is not supported with `scope: node`; use per_node',
      'guard.policies.0.group.by: must contain node with `scope: node`, because the queries of other nodes are unknown',
    ]);
  });

  it('may have a separate budget', () => {
    expect(found({ clusters: [prod], scope: 'node', guard: { budgets: { per_node: { max: 1 } } } })).toEqual([]);
  });

  it.each([['all'], [undefined]])('does not match %s', (scope) => {
    expect(found({ clusters: [prod], scope, guard })).toEqual([]);
  });
});

describe('the scope cluster', () => {
  it('rejects policies, because no process lists are polled', () => {
    const guard = { policies: [{ name: 'a', mode: 'enforce' }] };
    expect(found({ clusters: [prod], scope: 'cluster', guard })).toEqual([
      'guard.policies: are not supported with `scope: cluster`, which polls no process lists; move them to the processes with `scope: node`',
    ]);
    expect(found({ clusters: [prod], scope: 'cluster', guard: { mode: 'observe' } })).toEqual([]);
  });
});

it.each([
  [undefined],
  [null],
  ['x'],
  [{}],
  [{ guard: 'x' }],
  [{ guard: { policies: 'x' } }],
  [{ guard: { policies: [null, 'x', 7, {}] } }],
  [{ guard: { policies: [{ name: 7, mode: 7, clusters: 7, notify: 7, group: 7, gate: 7 }] } }],
  [{ clusters: 'x', scope: 7, alerts: 7, guard: { mode: 7, budgets: 7, policies: [{ notify: [7] }] } }],
  [{ clusters: [null, 7], guard: { policies: [{ clusters: [7] }] } }],
  [{ clusters: [{ name: 7 }], scope: 'node', guard: { policies: [{ group: { by: 7 } }] } }],
])('%j is not checked, because the schema reports it', (value) => {
  expect(found(value)).toEqual([]);
});
