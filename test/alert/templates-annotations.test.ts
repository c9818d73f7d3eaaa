import { describe, expect, it } from 'vitest';
import { renderAnnotations } from '../../src/alert/templates.ts';
import { ruleOf, settingsOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const rule = ruleOf('quick');
const episode = firingIncident('quick', { node: 'm1' }, { facts: { value: '9 %' } });

function texts(own: { summary?: string; description?: string }, all: typeof own = {}, externalUrl?: string) {
  const settings = { rules: { quick: settingsOf(rule, { templates: own }) }, templates: all };
  return renderAnnotations(episode, rule, settings, externalUrl);
}

describe('texts', () => {
  it('are those of the rule', () => {
    expect(texts({})).toEqual({
      summary: 'quick on m1 of prod',
      description: 'It is at 9 %.',
      runbook_url: expect.stringMatching(/^https:\/\/.*#quick$/),
    });
  });

  it('may be configured; what is said of one rule wins', () => {
    const annotations = texts({ summary: 'S: {{summary}}' }, { summary: 'no', description: 'D {{value}}' });
    expect(annotations).toMatchObject({ summary: 'S: quick on m1 of prod', description: 'D 9 %' });
  });

  it('render unknown names as empty text', () => {
    const odd = ruleOf('quick', { summary: 'a {{missing}} b', description: '' });
    expect(renderAnnotations(episode, odd, { rules: {}, templates: {} }, undefined).summary).toBe('a  b');
  });

  it('lead to our page where we know its address', () => {
    expect(texts({}, {}, 'https://w.example.org/gw//').dashboard_url).toBe('https://w.example.org/gw/');
  });
});
