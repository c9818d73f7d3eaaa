import { describe, expect, it } from 'vitest';
import { AlertingTestbed, catchAllRoute, ruleOf, settingsOf } from './alerting-testbed.ts';

const quick = ruleOf('quick', { severity: 'critical' });
const m1 = { node: 'm1' };
const second = 1000;

describe('texts', () => {
  it('can be configured for one rule or for all rules', async () => {
    const rules = { quick: settingsOf(quick, { templates: { summary: '{{severity}}! {{summary}} ({{value}})' } }) };
    const templates = { description: 'See {{node}}.' };
    const bed = new AlertingTestbed({ rules: [quick], settings: { rules, templates } });
    await bed.evaluate({ rules: { quick: [m1] }, value: 3 });
    expect(bed.notifications[0]?.alert.annotations).toMatchObject({
      summary: 'critical! quick on m1 of prod (3)',
      description: 'See m1.',
    });
  });

  it('have empty text for a label that the alert lacks', async () => {
    const bed = new AlertingTestbed({
      rules: [quick],
      settings: { templates: { summary: '{{summary}} on {{host}}.' } },
    });
    await bed.evaluate({ rules: { quick: [m1] } });
    expect(bed.notifications[0]?.alert.annotations.summary).toBe('quick on m1 of prod on .');
  });

  it('change with the facts', async () => {
    const rule = ruleOf('quick');
    const bed = new AlertingTestbed({
      rules: [rule],
      settings: { routes: [{ ...catchAllRoute, receivers: ['chat'], repeatInterval: second }] },
    });
    await bed.evaluate({ rules: { quick: [m1] }, value: 1 });
    await bed.evaluate({ rules: { quick: [m1] }, value: 2 }, second);
    expect(bed.notifications.map(({ alert }) => alert.annotations.description)).toEqual(['It is at 1.', 'It is at 2.']);
  });
});
