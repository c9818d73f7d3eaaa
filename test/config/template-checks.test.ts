import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { templateNames } from '../../src/alert/templates.ts';
import { checkTemplateNames } from '../../src/config/template-checks.ts';

describe('names in templates', () => {
  it.each([[undefined], [{}], [{ alerts: { templates: 7, rules: 7 } }], [{ alerts: { rules: { watchdog: null } } }]])(
    'of %j are not checked, because the schema reports it',
    (value) => {
      expect(checkTemplateNames(value, rules)).toEqual([]);
    },
  );

  it.each(rules)('of $name may be its labels, the facts of its texts and added labels', (rule) => {
    const names = [...templateNames(rule), 'team', ...(rule.scope === 'cluster' ? ['env'] : [])];
    const own = { labels: { team: 'graph' }, summary: names.map((name) => `{{${name}}}`).join(' ') };
    const value = { clusters: [{ labels: { env: 'prod' } }], alerts: { rules: { [rule.name]: own }, templates: own } };
    expect(checkTemplateNames(value, rules)).toEqual([]);
  });

  it('are reported once for each text', () => {
    const text = '{{nodes}} {{nodes}}';
    const rule = { summary: text, description: text };
    expect(checkTemplateNames({ alerts: { rules: { node_unreachable: rule } } }, rules)).toEqual(
      ['summary', 'description'].map((key) => ({
        path: ['alerts', 'rules', 'node_unreachable', key],
        message: 'refers to the unknown name `{{nodes}}`',
        hint: 'did you mean `{{node}}`?',
      })),
    );
  });
});
