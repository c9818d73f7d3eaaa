import { describe, expect, it } from 'vitest';
import { createAlerting } from '../../src/alert/create-alerting.ts';
import { emptyAlertingState } from '../../src/alert/incident.ts';
import { abortUnconfirmed } from '../../src/alert/rules/abort-unconfirmed.ts';
import { nodeUnreachable } from '../../src/alert/rules/node-unreachable.ts';
import { queryAborted } from '../../src/alert/rules/query-aborted.ts';
import type { AbortView } from '../../src/model/guard.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, settingsOf, situationOf } from './alerting-testbed.ts';
import { abort, guardWith } from './rules/guard-fixtures.ts';
import { minute, wall } from './rules/rule-fixtures.ts';

const rules = [queryAborted, abortUnconfirmed, nodeUnreachable];
const receivers = ['chat', 'mail', 'oncall-db'].map((name) => ({ name, heartbeat: false }));
const routes = [
  { ...catchAllRoute, receivers: ['chat'], groupBy: ['cluster_name'], groupWait: 30_000, repeatInterval: minute },
];
const named = abort({ notify: ['oncall-db'] });

/** Returns an evaluation input of a cluster whose guard has these aborts. */
function look(...aborts: readonly AbortView[]) {
  return { kind: 'situation', situation: { ...situationOf({ rules: {} }), guard: guardWith({ aborts }) } } as const;
}

function bedWith(settings: ConstructorParameters<typeof AlertingTestbed>[0]['settings'] = {}) {
  return new AlertingTestbed({ rules, receivers, settings: { routes, ...settings } });
}

describe('an abort', () => {
  it('outputs store changes and notifications in the first step with it', () => {
    const settings = { rules: {}, routes, maintenance: [], templates: {} };
    const own = Object.fromEntries(rules.map((rule) => [rule.name, settingsOf(rule)]));
    const machine = createAlerting(rules, { ...settings, rules: own }, { receivers, digest });
    const { outputs } = machine.step(emptyAlertingState, look(named), { wall, mono: 5 });
    const kept = outputs.flatMap((output) => (output.kind === 'change' ? [output.change.table] : []));
    const notices = outputs.flatMap((output) => (output.kind === 'notice' ? [output.notification] : []));
    expect(kept).toEqual(['counters', 'episodes']);
    expect(notices).toMatchObject([
      {
        kind: 'trigger',
        due: wall,
        alert: { annotations: { summary: 'ring_scan of fraud is being aborted on m1 of prod' } },
        to: [
          { receiver: 'chat', group: { cluster_name: 'prod' }, groupWait: 30_000 },
          { receiver: 'oncall-db', group: {}, groupWait: 0 },
        ],
      },
    ]);
  });

  it('resolves some time after its outcome, with the outcome in the summary, for all notified receivers', async () => {
    const bed = bedWith();
    await bed.step(look(named));
    const over = { ...named, outcome: 'confirmed', endedAt: wall + 3000 } as const;
    expect(await bed.step(look(over), 3000)).toEqual([]);
    expect(await bed.step(look(over), 5 * minute - 1)).toEqual(['again query_aborted m1 > chat']);
    expect(await bed.step(look(over), minute - 1)).toEqual([]);
    expect(await bed.step(look(over), 1)).toEqual(['resolve query_aborted m1']);
    expect(bed.notifications.at(-1)?.alert.annotations.summary).toBe('ring_scan of fraud was aborted on m1 of prod');
    expect(Object.keys(bed.state.resolved[0]?.incident.notified ?? {})).toEqual(['chat', 'oncall-db']);
  });

  it('is one alert each, also of one query at one moment', async () => {
    const other = abort({ id: '16777217.RESTPP_1_1.1790052000001.N' });
    expect(await bedWith().step(look(named, other))).toEqual([
      'trigger query_aborted m1 > chat, oncall-db',
      'trigger query_aborted m1 > chat',
    ]);
  });

  it('notifies the same receivers if it stays unconfirmed', async () => {
    const bed = bedWith();
    await bed.step(look(named));
    const over = { ...named, outcome: 'still_running', endedAt: wall + 30_000 } as const;
    expect(await bed.step(look(over), 30_000)).toEqual(['trigger abort_unconfirmed m1 > chat, oncall-db']);
  });

  it('is not inhibited by an unreachable node', async () => {
    const away = { ...situationOf({ rules: {} }), samples: () => [{ labels: { node: 'm1' }, value: 0 }] };
    const cold = { ...settingsOf(nodeUnreachable), for: 0 };
    const bed = bedWith({ rules: { node_unreachable: cold } });
    await bed.step({ kind: 'situation', situation: away });
    const both = { ...away, guard: guardWith({ aborts: [named] }) };
    expect(await bed.step({ kind: 'situation', situation: both })).toEqual([
      'trigger query_aborted m1 > chat, oncall-db',
    ]);
  });

  it('notifies no receiver while a silence mutes it, and all receivers afterwards', async () => {
    const bed = bedWith();
    const matchers = matchersOf('alertname="GraphdbQueryAborted"');
    const silence = { id: 's', matchers, startsAt: wall, endsAt: wall + minute, author: 'ada', reason: 'a drill' };
    await bed.step({ kind: 'silence', silence });
    expect(await bed.step(look(named))).toEqual([]);
    expect(await bed.step(look(named), minute)).toEqual(['trigger query_aborted m1 > chat, oncall-db']);
  });
});

describe('a restart', () => {
  it('sends no second trigger, and sends the resolve', async () => {
    const bed = bedWith();
    await bed.step(look(named));
    await bed.restart(2000);
    expect(await bed.step(look(named))).toEqual([]);
    const over = { ...named, outcome: 'vanished', endedAt: wall + 3000 } as const;
    expect(await bed.step(look(over), 1000)).toEqual([]);
    await bed.restart();
    expect(await bed.step(look(over), 50_000)).toEqual([]);
    expect(await bed.step(look(over), 5 * minute)).toEqual(['resolve query_aborted m1']);
    expect(bed.notifications.at(-1)?.alert.annotations.summary).toBe(
      'ring_scan of fraud is gone after its abort on m1 of prod',
    );
  });

  it('does not resolve aborts before the guard restores them', async () => {
    const bed = bedWith({ routes: [] });
    await bed.step(look(named));
    await bed.restart(2000);
    const unread = { ...situationOf({ rules: {} }), guard: guardWith({ isRestored: false }) };
    expect(await bed.step({ kind: 'situation', situation: unread }, minute)).toEqual([]);
    expect(await bed.step(look(named), minute)).toEqual([]);
    expect(await bed.step(look(), minute)).toEqual(['resolve query_aborted m1']);
  });

  it('keeps the pending notification of a silenced abort', async () => {
    const bed = bedWith();
    const silence = {
      id: 's',
      matchers: matchersOf('node="m1"'),
      startsAt: wall,
      endsAt: wall + minute,
      author: 'a',
      reason: 'b',
    };
    await bed.step({ kind: 'silence', silence });
    await bed.step(look(named));
    await bed.restart(minute);
    expect(await bed.step(look(named))).toEqual(['trigger query_aborted m1 > chat, oncall-db']);
  });
});
