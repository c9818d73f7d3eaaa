import { describe, expect, it } from 'vitest';
import { collectors } from '../../../../src/collect/all.ts';
import { type CallName, calls, templateOf } from '../../../../src/graphdb/calls.ts';
import {
  collectorsOf,
  coverageReference,
  describeUse,
  endpointGroups,
} from '../../../../tools/generate/server-coverage/coverage-reference.ts';

const names = Object.keys(calls) as CallName[];
const endpoints = endpointGroups.flatMap((group) => group.endpoints.map((endpoint) => ({ ...group, endpoint })));

/** Both path forms of a call, without the names of the parts of a path. */
function requestsOf(name: CallName): readonly string[] {
  return [templateOf(name, 'current'), templateOf(name, 'older')].map((path) =>
    anonymous(`${calls[name].method} ${path}`),
  );
}

function anonymous(endpoint: string): string {
  return endpoint.replaceAll(/\{\w+\}/g, '{}');
}

describe('the coverage of the server', () => {
  it('is docs/coverage.md, one row for each endpoint', () => {
    const { path, text } = coverageReference();
    expect(path).toBe('docs/coverage.md');
    for (const { endpoint } of endpoints) expect(text.split(`| \`${endpoint}\` |`)).toHaveLength(2);
  });

  it('contains every call of the client, each once', () => {
    expect(endpointGroups.flatMap(({ call = [] }) => call).toSorted()).toEqual(names.toSorted());
  });

  it.each(endpoints.flatMap(({ call, endpoint }) => (call === undefined ? [] : [[endpoint, call] as const])))(
    'states the path of the call: %s',
    (endpoint, call) => {
      const documented = anonymous(endpoint);
      // The list of endpoints is requested for all graphs, and the library with an expression for all functions.
      const sent: Partial<Record<CallName, string>> = {
        endpoints: documented.replace(/\/\{\}$/, ''),
        libraryFunctions: documented.replace(/\{\}$/, '.*'),
      };
      expect(requestsOf(call)).toContain(sent[call] ?? documented);
    },
  );

  it('states no use for a call that the client can make, and a reason for every other', () => {
    const possible = new Set(names.flatMap(requestsOf));
    for (const { call, endpoint, use } of endpoints) {
      if (call !== undefined) continue;
      expect(possible).not.toContain(anonymous(endpoint));
      expect(use, endpoint).toMatch(/^never called: .{10}|^used by the guard|^used to drop the token/);
    }
  });

  it('states a use for every call of the client', () => {
    for (const group of endpointGroups) {
      if (group.call !== undefined) expect(describeUse(group)).toMatch(/^watched by `\w+`|^probed by `\w+`|^used to /);
    }
  });

  it('has an endpoint of every collector', () => {
    const monitoring = new Set(endpointGroups.flatMap(({ call }) => (call === undefined ? [] : collectorsOf(call))));
    expect([...monitoring].toSorted()).toEqual(collectors.map(({ name }) => name).toSorted());
  });

  it('contains no announcement of future work', () => {
    for (const { use = '' } of endpointGroups) expect(use).not.toMatch(/\b(later|yet|planned|future|todo)\b/i);
  });
});
