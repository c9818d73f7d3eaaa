import { describe, expect, it } from 'vitest';
import { InventoryChanges } from '../../../src/app/poll/inventory-changes.ts';
import { endpoints } from '../../../src/collect/endpoints.ts';
import { health } from '../../../src/collect/health.ts';
import { users } from '../../../src/collect/users.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { EndpointItem } from '../../../src/model/inventory.ts';
import { failed } from '../../support/fake-graphdb.ts';
import { recordingLogger } from '../../support/logger.ts';
import { pollEnd, sampleLines } from '../../support/poll-results.ts';

type Outcome = ReturnType<typeof failed> | { readonly ok: true; readonly value: readonly EndpointItem[] };

function item(name: string, ...parts: readonly string[]): EndpointItem {
  return { name, kind: 'dynamic', graph: 'fraud', parts };
}

/** Receives poll results of one cluster, one after the other. */
function receiver() {
  const log = recordingLogger();
  const changes = new InventoryChanges(log);
  const receive = (result: Outcome, definition = endpoints, cluster = 'prod'): void => {
    const feed = { cluster, collector: definition.name, node: '', definition, labels: {}, passthrough: false };
    changes.onPollResult(feed, { result, source: 'm1', started: pollEnd, ended: pollEnd });
  };
  return { changes, receive, log, counts: (cluster = 'prod') => sampleLines(changes.samples(cluster)) };
}

const counted = (added: number, removed: number, changed: number): readonly string[] => [
  `graphdb_inventory_changes_total{object="endpoint",change="added"} ${added}`,
  `graphdb_inventory_changes_total{object="endpoint",change="removed"} ${removed}`,
  `graphdb_inventory_changes_total{object="endpoint",change="changed"} ${changed}`,
];

describe('changes of the inventory', () => {
  it('are 0 after the first poll, and absent before it', () => {
    const { receive, counts, log } = receiver();
    expect(counts()).toEqual([]);
    receive(ok([item('a')]));
    expect(counts()).toEqual(counted(0, 0, 0));
    expect(log.lines).toEqual([]);
  });

  it('are counted and logged with their difference', () => {
    const { receive, counts, log } = receiver();
    receive(ok([item('a'), item('b', 'depth INT64')]));
    receive(ok([item('b', 'depth INT32'), item('c')]));
    expect(counts()).toEqual(counted(1, 1, 1));
    const common = { cluster: 'prod', collector: 'endpoints', object: 'endpoint' };
    expect(log.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
      ['info', 'inventory changed', { ...common, change: 'changed', item: 'b', detail: '-depth INT64, +depth INT32' }],
      ['info', 'inventory changed', { ...common, change: 'added', item: 'c' }],
      ['info', 'inventory changed', { ...common, change: 'removed', item: 'a' }],
    ]);
  });

  it('are compared with the last successful poll', () => {
    const { receive, counts } = receiver();
    receive(ok([item('a')]));
    receive(failed('unsupported'));
    receive({ ...failed('status'), partial: [] } as Outcome);
    receive(ok([item('a'), item('b')]));
    expect(counts()).toEqual(counted(1, 0, 0));
  });

  it('are separate for each cluster', () => {
    const { receive, counts } = receiver();
    receive(ok([item('a')]));
    receive(ok([item('b')]), endpoints, 'test');
    receive(ok([]), endpoints, 'test');
    expect(counts()).toEqual(counted(0, 0, 0));
    expect(counts('test')).toEqual(counted(0, 1, 0));
  });

  it('are logged up to a limit, with the number of the others', () => {
    const { receive, counts, log } = receiver();
    receive(ok([]));
    receive(ok(Array.from({ length: 10_000 }, (_, at) => item(`GET /${at}`))));
    expect(log.lines).toHaveLength(21);
    expect(log.lines.at(-1)).toMatchObject({ message: 'inventory changes not logged', fields: { changes: 9980 } });
    expect(counts()).toEqual(counted(10_000, 0, 0));
  });

  it('have names without control characters, and of limited length', () => {
    const { receive, log } = receiver();
    receive(ok([]));
    receive(ok([item(`a\n\u001b[31m${'x'.repeat(10_000)}`)]));
    const { item: name } = log.lines[0]?.fields ?? expect.fail('nothing logged');
    expect(name).toMatch(/^a \[31mx+$/);
    expect(String(name).length).toBeLessThanOrEqual(500);
  });

  it('are empty for a collector without an inventory', () => {
    const { receive, counts } = receiver();
    receive(ok([]), health);
    expect(counts()).toEqual([]);
  });
});

describe('changes of users', () => {
  const roles = { builtin_global: 0, builtin_local: 0, user_defined: 0 };
  const user = { name: 'eve"\n<b>', isSuperuser: false, isDisabled: false, failedLogins: 0, grants: [] };

  function logged(names: { readonly names?: true }): readonly (object | undefined)[] {
    const log = recordingLogger();
    const changes = new InventoryChanges(log);
    const feed = {
      cluster: 'prod',
      collector: 'users',
      node: '',
      definition: users,
      labels: {},
      passthrough: false,
    };
    for (const isSuperuser of [false, true]) {
      const gains = { failedLogins: 0, superusers: 0, privileges: {} };
      const listed = { accounts: [{ ...user, isSuperuser }], gains };
      const result = ok({ users: listed, groups: { accounts: [], gains }, roles });
      changes.onPollResult({ ...feed, ...names }, { result, source: 'm1', started: pollEnd, ended: pollEnd });
    }
    expect(sampleLines(changes.samples('prod'))).toContain(
      'graphdb_inventory_changes_total{object="user",change="changed"} 1',
    );
    return log.lines.map(({ fields }) => fields);
  }

  const common = { cluster: 'prod', collector: 'users', object: 'user', change: 'changed', detail: '+superuser' };

  it('are logged without names', () => {
    expect(logged({})).toEqual([common]);
  });

  it('are logged with names, without line breaks in them, if the configuration enables names', () => {
    expect(logged({ names: true })).toEqual([{ ...common, item: 'eve" <b>' }]);
  });
});
