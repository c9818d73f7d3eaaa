import { describe, expect, it } from 'vitest';
import { createAlerting } from '../../src/alert/create-alerting.ts';
import { nothingKnown } from '../../src/alert/episode.ts';
import { abortUnconfirmed } from '../../src/alert/rules/abort-unconfirmed.ts';
import { nodeUnreachable } from '../../src/alert/rules/node-unreachable.ts';
import { queryAborted } from '../../src/alert/rules/query-aborted.ts';
import type { AbortView } from '../../src/model/guard.ts';
import { digest } from '../../src/runtime/digest.ts';
import { Bed, everything, settingsOf, situationOf } from './alerting-bed.ts';
import { abort, guardWith } from './rules/aborting.ts';
import { minute, wall } from './rules/judging.ts';

const rules = [queryAborted, abortUnconfirmed, nodeUnreachable];
const receivers = ['chat', 'mail', 'oncall-db'].map((name) => ({ name, heartbeat: false }));
const routes = [{ ...everything, receivers: ['chat'], groupBy: ['cluster_name'], groupWait: 30_000, repeat: minute }];
const named = abort({ notify: ['oncall-db'] });

/** A look at a cluster whose guard knows of these aborts. */
function look(...aborts: readonly AbortView[]) {
  return { kind: 'situation', situation: { ...situationOf({ rules: {} }), guard: guardWith({ aborts }) } } as const;
}

function bedWith(settings: ConstructorParameters<typeof Bed>[0]['settings'] = {}) {
  return new Bed({ rules, receivers, settings: { routes, ...settings } });
}

describe('an abort', () => {
  it('gives in the step that hears of it what is to be kept, and what is to be told to whom', () => {
    const settings = { rules: {}, routes, maintenance: [], templates: {} };
    const own = Object.fromEntries(rules.map((rule) => [rule.name, settingsOf(rule)]));
    const machine = createAlerting(rules, { ...settings, rules: own }, { receivers, digest });
    const { outputs } = machine.step(nothingKnown, look(named), { wall, mono: 5 });
    const kept = outputs.flatMap((output) => (output.kind === 'change' ? [output.change.table] : []));
    const notices = outputs.flatMap((output) => (output.kind === 'notice' ? [output.notice] : []));
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

  it('ends a while after its outcome, with that in words, for all who heard of it', async () => {
    const bed = bedWith();
    await bed.step(look(named));
    const over = { ...named, outcome: 'confirmed', endedAt: wall + 3000 } as const;
    expect(await bed.step(look(over), 3000)).toEqual([]);
    expect(await bed.step(look(over), 5 * minute - 1)).toEqual(['again query_aborted m1 > chat']);
    expect(await bed.step(look(over), minute - 1)).toEqual([]);
    expect(await bed.step(look(over), 1)).toEqual(['resolve query_aborted m1']);
    expect(bed.notices.at(-1)?.alert.annotations.summary).toBe('ring_scan of fraud was aborted on m1 of prod');
    expect(Object.keys(bed.state.past[0]?.episode.told ?? {})).toEqual(['chat', 'oncall-db']);
  });

  it('is one alert each, also of one query at one moment', async () => {
    const other = abort({ id: '16777217.RESTPP_1_1.1790052000001.N' });
    expect(await bedWith().step(look(named, other))).toEqual([
      'trigger query_aborted m1 > chat, oncall-db',
      'trigger query_aborted m1 > chat',
    ]);
  });

  it('that may have done nothing is told to the same receivers', async () => {
    const bed = bedWith();
    await bed.step(look(named));
    const over = { ...named, outcome: 'still_running', endedAt: wall + 30_000 } as const;
    expect(await bed.step(look(over), 30_000)).toEqual(['trigger abort_unconfirmed m1 > chat, oncall-db']);
  });

  it('is told whatever explains other alerts of its node', async () => {
    const away = { ...situationOf({ rules: {} }), samples: () => [{ labels: { node: 'm1' }, value: 0 }] };
    const cold = { ...settingsOf(nodeUnreachable), hold: 0 };
    const bed = bedWith({ rules: { node_unreachable: cold } });
    await bed.step({ kind: 'situation', situation: away });
    const both = { ...away, guard: guardWith({ aborts: [named] }) };
    expect(await bed.step({ kind: 'situation', situation: both })).toEqual([
      'trigger query_aborted m1 > chat, oncall-db',
    ]);
  });

  it('is not told while a silence holds it, and then to all of them', async () => {
    const bed = bedWith();
    const match = { alertname: ['GraphdbQueryAborted'] };
    const silence = { id: 's', match, startsAt: wall, endsAt: wall + minute, author: 'ada', reason: 'a drill' };
    await bed.step({ kind: 'silence', silence });
    expect(await bed.step(look(named))).toEqual([]);
    expect(await bed.step(look(named), minute)).toEqual(['trigger query_aborted m1 > chat, oncall-db']);
  });
});

describe('a restart', () => {
  it('tells nobody again, and the end to all', async () => {
    const bed = bedWith();
    await bed.step(look(named));
    await bed.restart(2000);
    expect(await bed.step(look(named))).toEqual([]);
    const over = { ...named, outcome: 'vanished', endedAt: wall + 3000 } as const;
    expect(await bed.step(look(over), 1000)).toEqual([]);
    await bed.restart();
    expect(await bed.step(look(over), 50_000)).toEqual([]);
    expect(await bed.step(look(over), 5 * minute)).toEqual(['resolve query_aborted m1']);
    expect(bed.notices.at(-1)?.alert.annotations.summary).toBe(
      'ring_scan of fraud is gone after its abort on m1 of prod',
    );
  });

  it('ends nothing before the guard knows again what it did', async () => {
    const bed = bedWith({ routes: [] });
    await bed.step(look(named));
    await bed.restart(2000);
    const unread = { ...situationOf({ rules: {} }), guard: guardWith({ isRestored: false }) };
    expect(await bed.step({ kind: 'situation', situation: unread }, minute)).toEqual([]);
    expect(await bed.step(look(named), minute)).toEqual([]);
    expect(await bed.step(look(), minute)).toEqual(['resolve query_aborted m1']);
  });

  it('does not forget who is still to be told', async () => {
    const bed = bedWith();
    const silence = {
      id: 's',
      match: { node: ['m1'] },
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
