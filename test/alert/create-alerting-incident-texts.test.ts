import { expect, it } from 'vitest';
import { AlertingTestbed, ruleOf } from './alerting-testbed.ts';

const away = ruleOf('node_unreachable', { for: 30_000 });
const quick = ruleOf('quick', { resolved: '{{node}} is at {{now}}.', current: () => ({ now: '50 %' }) });
const [m1, m2] = [{ node: 'm1' }, { node: 'm2' }];

it('an incident keeps its title and its related events, and its resolve has the state after it', async () => {
  const bed = new AlertingTestbed({ rules: [away, quick] });
  await bed.step({ kind: 'events', events: [{ at: bed.wall, cluster: '', subject: '', text: 'reloaded' }] });
  await bed.evaluate({ rules: { node_unreachable: [m2] } }, 10_000);
  await bed.evaluate({ rules: { node_unreachable: [m2], quick: [m1] } }, 4000);
  const [trigger] = bed.notifications;
  expect(trigger?.alert.annotations).toMatchObject({
    title: 'quick on m1 of prod',
    related_events: 'reloaded 14s before\nm2 failed its health check 4s before',
  });
  await bed.evaluate({ rules: { quick: [m1] }, value: 9 }, 1000);
  await bed.evaluate({ rules: {} }, 1000);
  const resolve = bed.notifications.findLast(({ kind }) => kind === 'resolve');
  expect(resolve?.alert.annotations).toMatchObject({
    description: 'It is at 9.',
    related_events: trigger?.alert.annotations.related_events,
    current_state: 'm1 is at 50 %.',
  });
});

it('the resolve of an incident states that its cluster left the configuration', async () => {
  const bed = new AlertingTestbed({ rules: [quick] });
  await bed.evaluate({ rules: { quick: [m1] } });
  await bed.step({ kind: 'clusters', names: [] });
  expect(bed.notifications.at(-1)?.alert.annotations.current_state).toBe(
    'graphwarden no longer evaluates this alert: its cluster or rule left the configuration.',
  );
});
