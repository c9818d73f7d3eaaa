import { describe, expect, it } from 'vitest';
import {
  renderAnnotations,
  withBeginning,
  withCurrentState,
  withCurrentTexts,
  withoutEvaluation,
} from '../../src/alert/incident-texts.ts';
import { rules } from '../../src/alert/rules/all.ts';
import { ruleOf, settingsOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const rule = ruleOf('quick');
const current = () => ({ value: '50 %' });
const incident = firingIncident('quick', { node: 'm1' }, { facts: { value: '9 %' } });

function textsOf(own: { summary?: string; description?: string }, all: typeof own = {}, links = {}) {
  const settings = { rules: { quick: settingsOf(rule, { templates: own }) }, templates: all, ...links };
  return renderAnnotations(incident, rule, settings);
}

const render = ({ facts }: typeof incident) => ({ summary: `at ${facts.value}` });
const indexOf = (incidents: readonly (typeof incident)[]) => new Map(incidents.map((one) => [one.identityKey, one]));

describe('annotations', () => {
  it('are those of the rule', () => {
    expect(textsOf({})).toEqual({
      summary: 'quick on m1 of prod',
      description: 'It is at 9 %.',
      runbook_url: 'https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md#quick',
    });
  });

  it('can be configured for all rules or for one rule, which takes precedence', () => {
    const annotations = textsOf({ summary: 'S: {{summary}}' }, { summary: 'no', description: 'D {{value}}' });
    expect(annotations).toMatchObject({ summary: 'S: quick on m1 of prod', description: 'D 9 %' });
  });

  it('render unknown names as empty text', () => {
    const odd = ruleOf('quick', { summary: 'a {{missing}} b', description: '' });
    expect(renderAnnotations(incident, odd, { rules: {}, templates: {} }).summary).toBe('a  b');
  });

  it('link the configured runbook, and the dashboard of a configured Grafana', () => {
    const links = { runbookUrl: 'https://wiki.example.org/graph', grafanaUrl: 'https://grafana.example.org/' };
    expect(textsOf({}, {}, links)).toMatchObject({
      runbook_url: 'https://wiki.example.org/graph#quick',
      dashboard_url: expect.stringMatching(/^https:\/\/grafana\.example\.org\/d\/graphwarden-cluster\?.*var-node=m1$/),
    });
  });
});

describe('texts of an incident', () => {
  it('keep the title and the related events of the beginning', () => {
    const events = [
      { at: incident.startsAt - 4000, cluster: 'prod', subject: 'm2', text: 'm2 failed its health check' },
    ];
    const begun = withBeginning(incident, events);
    const lasting = { title: 'a summary', related_events: 'm2 failed its health check 4s before' };
    expect(begun.annotations).toEqual({ summary: 'a summary', ...lasting });
    const [again] = withCurrentTexts([begun], new Map(), () => ({ summary: 'another' }), begun.lastActiveAt);
    expect(again?.annotations).toEqual({ summary: 'another', ...lasting });
    expect(withBeginning({ ...incident, lead: 'other' }, events).annotations).not.toHaveProperty('related_events');
  });

  describe('whose facts changed', () => {
    const at = (seconds: number) => ({ wall: incident.startsAt + seconds * 1000, mono: seconds * 1000 });
    const rendered = { facts: { value: '1 %' }, at: 0 };
    const changed = (count: number) =>
      Array.from({ length: count }, (_, node) =>
        firingIncident('quick', { node: `m${node}` }, { facts: { value: '2 %' }, rendered }),
      );

    it('are rendered again in the same step', () => {
      const few = changed(50);
      const texts = withCurrentTexts(few, indexOf(few), render, at(1));
      expect(texts.map(({ annotations }) => annotations.summary)).toEqual(few.map(() => 'at 2 %'));
      expect(texts.every((one) => one.rendered?.facts === one.facts)).toBe(true);
      expect(withCurrentTexts(texts, indexOf(texts), render, at(2))).toEqual([]);
    });

    it('are rendered again after a minute, fifty in a step, if there are more', () => {
      const many = changed(120);
      expect(withCurrentTexts(many, indexOf(many), render, at(59))).toEqual([]);
      const first = withCurrentTexts(many, indexOf(many), render, at(60));
      expect(first).toHaveLength(50);
      const next = many.map((one) => first.find(({ identityKey }) => identityKey === one.identityKey) ?? one);
      const second = withCurrentTexts(next, indexOf(next), render, at(61)).map(({ identityKey }) => identityKey);
      expect(second).toHaveLength(50);
      expect(second.filter((key) => first.some((one) => one.identityKey === key))).toEqual([]);
    });

    it('are rendered again at once when an incident begins to fire', () => {
      const many = changed(120);
      const pending = many.map((one, index): typeof one => (index === 119 ? { ...one, phase: 'pending' } : one));
      const keys = withCurrentTexts(many, indexOf(pending), render, at(1)).map(({ identityKey }) => identityKey);
      expect(keys).toEqual([many[119]?.identityKey]);
    });
  });

  it('have the state after the incident: the text of the rule with present facts', () => {
    const resolved = { resolved: '{{node}} of {{cluster_name}} is at {{value}}.' };
    const evaluation = { current, removed: () => undefined };
    const ended = withCurrentState(incident, resolved, evaluation);
    expect(ended.annotations.current_state).toBe('m1 of prod is at 50 %.');
    expect(withCurrentState(incident, undefined, evaluation).annotations.current_state).toBe(
      'The condition no longer holds.',
    );
    const gone = { current, removed: () => 'm1 is no longer a node of prod, and is not polled.' };
    expect(withCurrentState(incident, resolved, gone).annotations.current_state).toBe(
      'm1 is no longer a node of prod, and is not polled.',
    );
    expect(withoutEvaluation(incident).annotations.current_state).toContain('left the configuration');
  });

  it.each(rules.map((one) => [one.name, one] as const))(
    '%s has a complete sentence about the state after the incident',
    (_, { resolved = '' }) => {
      expect(resolved).toMatch(/^[^.].*\.$/);
    },
  );
});
