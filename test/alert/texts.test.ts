import { describe, expect, it } from 'vitest';
import { textsOf } from '../../src/alert/texts.ts';
import { ruleOf, settingsOf } from './alerting-bed.ts';
import { episodeAt } from './episode-of.ts';

const rule = ruleOf('quick');
const episode = episodeAt('quick', { node: 'm1' }, { facts: { value: '9 %' } });

function texts(own: { summary?: string; description?: string }, all: typeof own = {}, externalUrl?: string) {
  const settings = { rules: { quick: settingsOf(rule, { templates: own }) }, templates: all };
  return textsOf(episode, rule, settings, externalUrl);
}

describe('texts', () => {
  it('are those of the rule', () => {
    expect(texts({})).toEqual({
      annotations: {
        summary: 'quick on m1 of prod',
        description: 'It is at 9 %.',
        runbook_url: expect.stringMatching(/^https:\/\/.*#quick$/),
      },
    });
  });

  it('may be configured; what is said of one rule wins', () => {
    const { annotations } = texts({ summary: 'S: {{summary}}' }, { summary: 'no', description: 'D {{value}}' });
    expect(annotations).toMatchObject({ summary: 'S: quick on m1 of prod', description: 'D 9 %' });
  });

  it('fall back where a template fails, each on its own', () => {
    const { annotations, trouble } = texts({ summary: '{{nothing}}', description: 'fine' });
    expect(annotations).toMatchObject({ summary: 'quick on m1 of prod', description: 'fine' });
    expect(trouble).toBe("there is no value 'nothing'");
  });

  it('leave out what a rule does not know', () => {
    const odd = ruleOf('quick', { summary: 'a {{missing}} b', description: '' });
    expect(textsOf(episode, odd, { rules: {}, templates: {} }, undefined).annotations.summary).toBe('a  b');
  });

  it('lead to our page where we know its address', () => {
    expect(texts({}, {}, 'https://w.example.org/gw//').annotations.dashboard_url).toBe('https://w.example.org/gw/');
  });
});
