import { describe, expect, it } from 'vitest';
import { conditionsSection, protectionSection } from '../../src/guard/conditions-section.ts';
import { issuesOf } from './issues.ts';

describe('conditions section', () => {
  it('accepts every field', () => {
    const given = {
      node: ['m1', 'db-*.example.org'],
      graph: ['sandbox'],
      query: 'adhoc_*',
      method: 'GET',
      params: { depth: 're:^[0-9]{2,}$', tag: ['', 'test *'] },
      age: '> 10m',
      granted_timeout: '> 1h',
      remaining: '> 30s',
      age_share: '>= 0.5',
    };
    expect(conditionsSection.parse(given)).toEqual({
      node: [
        { kind: 'glob', text: 'm1' },
        { kind: 'glob', text: 'db-*.example.org' },
      ],
      graph: [{ kind: 'glob', text: 'sandbox' }],
      query: [{ kind: 'glob', text: 'adhoc_*' }],
      method: [{ kind: 'glob', text: 'GET' }],
      params: {
        depth: [{ kind: 'regex', text: '^[0-9]{2,}$' }],
        tag: [
          { kind: 'glob', text: '' },
          { kind: 'glob', text: 'test *' },
        ],
      },
      age: { operator: '>', value: 600_000 },
      grantedTimeout: { operator: '>', value: 3_600_000 },
      remaining: { operator: '>', value: 30_000 },
      ageShare: { operator: '>=', value: 0.5 },
    });
  });

  it('has no field that was not configured', () => {
    expect(Object.keys(conditionsSection.parse({ age: '> 10m' }))).toEqual(['age']);
  });

  it.each([
    [{}, ''],
    [{ age: undefined }, ''],
    [{ age: '10m' }, 'age'],
    [{ age: 600 }, 'age'],
    [{ graph: '' }, 'graph'],
    [{ graph: [] }, 'graph'],
    [{ graph: ['a', 'b-c'] }, 'graph.1'],
    [{ query: 're:adhoc' }, 'query'],
    [{ query: null }, 'query'],
    [{ node: 'http://m1' }, 'node'],
    [{ params: {} }, 'params'],
    [{ params: { depth: 7 } }, 'params.depth'],
    [{ params: { depth: 're:(' } }, 'params.depth'],
    [{ params: { '': 'x' } }, 'params.'],
    [{ params: ['depth'] }, 'params'],
    [{ params: null }, 'params'],
    [{ age_share: '> 90%' }, 'age_share'],
    [{ remaining: '30s' }, 'remaining'],
    [{ user: 'ada' }, ''],
    [{ age: '> 10m', text: 'SELECT' }, ''],
  ])('rejects %j (case %$)', (given, path) => {
    const found = issuesOf(conditionsSection, given);
    expect([...new Set(found.map((complaint) => complaint.split(': ', 1)[0]))]).toEqual([path]);
  });

  it('rejects an empty section with the reason', () => {
    expect(issuesOf(conditionsSection, {})).toEqual([': is empty, which would match every query; add a condition']);
  });
});

describe('protect section', () => {
  it('accepts node, graph, query and parameters', () => {
    expect(protectionSection.parse({ params: { tenant: 'acme' } })).toEqual({
      params: { tenant: [{ kind: 'glob', text: 'acme' }] },
    });
    expect(protectionSection.parse({ graph: '*', query: 'nightly_*' })).toEqual({
      graph: [{ kind: 'glob', text: '*' }],
      query: [{ kind: 'glob', text: 'nightly_*' }],
    });
    expect(protectionSection.parse({ node: 'm1' })).toEqual({ node: [{ kind: 'glob', text: 'm1' }] });
  });

  it.each([
    [{}, ': is empty, which would protect every query'],
    [{ query: 'nightly-*' }, 'query: contains characters'],
    [{ query: '{a,b}' }, 'query: contains characters'],
    [{ graph: 're:^a|b$' }, 'graph: is not anchored as a whole'],
    [{ age: '> 10m' }, ': Unrecognized key'],
    [{ params: {} }, 'params: must have at least one parameter'],
  ])('rejects %j', (given, complaint) => {
    const found = issuesOf(protectionSection, given);
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]?.startsWith(complaint)).toBe(true);
  });
});
