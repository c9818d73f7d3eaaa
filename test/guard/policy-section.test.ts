import { describe, expect, it } from 'vitest';
import { policySection } from '../../src/guard/policy-section.ts';
import { issuesOf } from './issues.ts';

const short = { name: 'runaway-adhoc', when: { age: '> 10m' } };

describe('policy section', () => {
  it('is in observe mode, and has defaults for all keys but name and conditions', () => {
    expect(policySection.parse(short)).toEqual({
      name: 'runaway-adhoc',
      mode: 'observe',
      when: { age: { operator: '>', value: 600_000 } },
      victims: { pick: 'oldest', max: 1 },
      confirm: { observations: 2, apart: 5000 },
      grace: 30_000,
      cooldown: 60_000,
      notify: [],
    });
  });

  it('accepts every key', () => {
    const given = {
      ...short,
      mode: 'enforce',
      clusters: ['prod'],
      gate: { any: [{ queue_depth: '> 20', for: '1m' }] },
      active: { days: ['mon'], from: '07:00', to: '20:00' },
      group: { by: ['node'], count: '>= 2' },
      unless: { params: { tenant: 'acme' } },
      victims: { pick: 'newest', keep: 'oldest', max: 3 },
      confirm: { observations: 4, apart: '2s' },
      grace: '0s',
      cooldown: '5m',
      notify: ['oncall-db'],
    };
    expect(policySection.parse(given)).toEqual({
      name: 'runaway-adhoc',
      mode: 'enforce',
      clusters: ['prod'],
      when: { age: { operator: '>', value: 600_000 } },
      gate: { needs: 'any', clauses: [{ source: 'queue_depth', bound: { operator: '>', value: 20 }, for: 60_000 }] },
      active: { days: [1], from: 420, to: 1200, zone: 'UTC' },
      group: { by: ['node'], count: { operator: '>=', value: 2 } },
      unless: { params: { tenant: [{ kind: 'glob', text: 'acme' }] } },
      victims: { pick: 'newest', keep: 'oldest', max: 3 },
      confirm: { observations: 4, apart: 2000 },
      grace: 0,
      cooldown: 300_000,
      notify: ['oncall-db'],
    });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'run away' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ mode: 'enforced' }, 'mode'],
    [{ mode: true }, 'mode'],
    [{ clusters: [] }, 'clusters'],
    [{ clusters: 'prod' }, 'clusters'],
    [{ unless: {} }, 'unless'],
    [{ unless: { user: 'x', age: '> 1h' } }, 'unless'],
    [{ when: { graph: 'a' }, unless: { graph: 'a' } }, 'unless'],
    [{ unless: { graph: '*', query: ['x', '*'] } }, 'unless'],
    [{ when: { age: '> 10m', remaining: '> 1m' }, unless: { age: '> 10m' } }, 'unless'],
    [{ when: { query: 'a*', age: '< 20s' } }, 'when'],
    [{ victims: { keep: 'newest' } }, 'victims.keep'],
    [{ when: undefined }, 'when'],
    [{ when: {} }, 'when'],
    [{ victims: { pick: 'all' } }, 'victims.pick'],
    [{ victims: { max: 0 } }, 'victims.max'],
    [{ victims: { max: 1.5 } }, 'victims.max'],
    [{ confirm: { observations: 1 } }, 'confirm.observations'],
    [{ confirm: { apart: '0s' } }, 'confirm.apart'],
    [{ confirm: { apart: '500ms' } }, 'confirm.apart'],
    [{ grace: '30' }, 'grace'],
    [{ cooldown: 60 }, 'cooldown'],
    [{ notify: 'oncall' }, 'notify'],
    [{ notify: [''] }, 'notify.0'],
    [{ gate: {} }, 'gate'],
    [{ active: { days: [] } }, 'active.days'],
    [{ group: {} }, 'group'],
    [{ any: [] }, ''],
    [{ graph: 'sandbox' }, ''],
  ])('rejects %j (case %$)', (more, path) => {
    const found = issuesOf(policySection, { ...short, ...more });
    expect(found.map((complaint) => complaint.split(': ', 1)[0])).toEqual([path]);
  });

  it.each([
    [{ unless: {} }, 'unless: is empty, which would exempt every query; remove the key'],
    [
      { when: { graph: 'a' }, unless: { graph: 'a' } },
      'unless: exempts every query that `when` matches, so the policy never matches',
    ],
    [
      { when: { query: 'a*', age: '< 20s' } },
      'when: never matches: no query can meet all conditions from its confirmation until the end of the grace period',
    ],
  ])('returns the problem of %j', (more, problem) => {
    expect(issuesOf(policySection, { ...short, ...more })).toEqual([problem]);
  });

  it.each([
    [{ graph: '*' }],
    [{ query: '*' }],
    [{ query: 're:^.*$' }],
    [{ node: 'm1' }],
    [{ age: '> 1s' }],
    [{ age: '< 1d' }],
    [{ granted_timeout: '> 0s' }],
    [{ graph: '*', query: '*', age: '>= 0s', remaining: '> 0s', method: '*' }],
  ])('rejects a policy that matches every query: %j', (when) => {
    expect(issuesOf(policySection, { ...short, when })).toEqual([
      'when: could abort every query: its conditions match all ordinary queries',
    ]);
  });

  it('rejects a policy without narrowing conditions, even with a gate or a group', () => {
    const given = {
      ...short,
      when: { query: '*' },
      gate: { any: [{ node_memory: '> 0.95', for: '3m' }] },
      group: { count: '> 100' },
    };
    expect(issuesOf(policySection, given)).toHaveLength(1);
  });
});
