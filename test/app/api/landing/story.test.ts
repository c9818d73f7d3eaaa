import { describe, expect, it } from 'vitest';
import type { Latest } from '../../../../src/app/api/landing/statement.ts';
import { type ClusterFacts, ownStory, spokenOf, storyOf } from '../../../../src/app/api/landing/story.ts';
import { collectors } from '../../../../src/collect/all.ts';
import { wall } from './landing-fixtures.ts';

const node = {
  name: 'm1',
  address: '',
  state: 'up',
  since: null,
  sinceFirstPoll: true,
  reason: '',
  message: '',
  sockets: 1,
} as const;
const prod: ClusterFacts = {
  cluster: { name: 'prod', labels: { env: 'prod' }, nodes: [node] },
  doings: [],
  checks: [],
  tracked: [],
  alerts: [],
  latest: new Map(),
  guard: undefined,
};
const guard = {
  policies: [{ name: 'runaway', mode: 'enforce' }],
  pause: { isPaused: false, reasons: [] },
  breakers: [],
  decisions: [],
} as const;

function failing(...names: readonly string[]): ReadonlyMap<string, Latest> {
  return new Map(names.map((collector) => [collector, { collector, reported: [], silent: ['m1'], waiting: false }]));
}

function topicsOf(facts: Partial<ClusterFacts>) {
  return storyOf({ ...prod, ...facts }, wall).topics.map(({ name, statements }) => [name, statements.length]);
}

describe('the story of a cluster', () => {
  it('lists its topics in the order that suits an operator during an incident', () => {
    expect(topicsOf({ latest: failing(...spokenOf), guard }).map(([name]) => name)).toEqual([
      'Alerts',
      'Guard',
      'Nodes',
      'Services',
      'Queries',
      'Queues',
      'Host data',
      'Licence',
      'Checks',
      'Reading',
    ]);
  });

  it('does not speak of what is switched off', () => {
    expect(topicsOf({ latest: failing('services') }).map(([name]) => name)).toEqual([
      'Alerts',
      'Nodes',
      'Services',
      'Reading',
    ]);
  });

  it('speaks of running and waiting queries together, and says nothing twice', () => {
    const reported = [{ node: 'm1', at: wall, samples: [] }];
    const silent = new Map(
      ['queries', 'delayed_queries'].map((collector) => [
        collector,
        { collector, reported, silent: ['m2'], waiting: false },
      ]),
    );
    const { topics } = storyOf({ ...prod, latest: silent }, wall);
    expect(topics.find(({ name }) => name === 'Queries')?.statements.map(({ text }) => text)).toEqual([
      'No query runs',
      'Nothing is known of m2',
      'None waits for a place',
    ]);
  });

  it('is as grave as the gravest in it', () => {
    expect(storyOf(prod, wall)).toMatchObject({ name: 'prod', labels: { env: 'prod' }, tone: 'good' });
    const down = { ...node, state: 'down', reason: 'tls', message: 'no' } as const;
    expect(storyOf({ ...prod, cluster: { ...prod.cluster, nodes: [node, down] } }, wall).tone).toBe('bad');
  });

  it('speaks of collectors that there are', () => {
    const names = collectors.map(({ name }) => name);
    expect(spokenOf.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the story of ourselves', () => {
  const unheard = {
    key: 'k',
    episode: 1,
    rule: 'delivery_failing',
    severity: 'critical',
    phase: 'firing',
    labels: { alertname: 'GraphwardenDeliveryFailing' },
    annotations: { summary: 'oncall takes nothing' },
    startsAt: wall - 1000,
  } as const;

  it('is empty without a firing alert', () => {
    expect(ownStory([], wall)).toEqual([]);
    expect(ownStory([{ ...unheard, phase: 'resolved' }], wall)).toEqual([]);
    expect(ownStory([unheard], wall)).toMatchObject([
      { name: 'graphwarden', tone: 'bad', topics: [{ name: 'Alerts' }] },
    ]);
  });
});
