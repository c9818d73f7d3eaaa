import { expect, it } from 'vitest';
import type { Rule } from '../../../src/alert/rule.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { render } from '../../../src/alert/templates.ts';
import type { Situation } from '../../../src/model/situation.ts';
import { abort, guarded } from './guard-fixtures.ts';
import { type Families, partition, replica, situationWith, view, wall } from './rule-fixtures.ts';

const aborted = { node: 'm1', graph: 'fraud', query: 'ring_scan', policy: 'runaway' };
const abortIdentity = { ...aborted, request_id: abort().id, intent_at: '2026-09-22T04:53:20.000Z' };
const engine = { service_name: 'GPE', partition: '1' };
const lists = { collector: 'queries', node: 'm1', place: 'on m1' };
const up = (one: number, other: number): Families => ({
  graphdb_up: [
    [{ node: 'm1' }, one],
    [{ node: 'm2' }, other],
  ],
});
const engines = (online: number): Partial<Situation> => ({
  partitions: [partition({ online: 1 }), partition({ partition: '2', online })],
  replicas: [replica(), replica({ partition: '2' })],
});
const listing = (...collectors: Situation['collectors']): Situation => situationWith({}, { collectors });
const failed = { fresh: false, reason: 'timeout', message: 'no complete response within the deadline' } as const;
const license: Families = { graphdb_license_expiration_timestamp_seconds: [[{}, wall / 1000 + 86_400]] };
const outcome = 'The node returns no usable list, so it is not known whether the query still runs';

it.each<[name: string, Situation, values: Readonly<Record<string, string>>, text: string]>([
  [
    'cluster_down',
    situationWith(up(1, 0), engines(0)),
    {},
    'Nodes of prod that pass the health check: 1 of 2. Replicated services with an online replica: 1 of 1.',
  ],
  [
    'cluster_down',
    situationWith(up(1, 1)),
    {},
    'Nodes of prod that pass the health check: 2 of 2. Replicated services with an online replica: unknown.',
  ],
  [
    'service_without_online_replica',
    situationWith({}, engines(0)),
    engine,
    'Partitions of GPE of prod with an online replica: 1 of 2.',
  ],
  [
    'service_without_online_replica',
    situationWith({}),
    engine,
    'Partitions of GPE of prod with an online replica: unknown, the server reports none.',
  ],
  [
    'partition_without_online_replica',
    situationWith({}, { partitions: [partition({ online: 1 })] }),
    { ...engine, instance: 'GPE_1', replicas: '3' },
    'GPE_1 of prod has 1 of 2 replicas online.',
  ],
  [
    'partition_without_online_replica',
    situationWith({}),
    { ...engine, instance: 'GPE_1' },
    'GPE_1 of prod is no longer reported by the server.',
  ],
  [
    'partition_unavailable',
    situationWith({}, { partitions: [partition({ online: undefined })] }),
    { ...engine, instance: 'GPE_1' },
    'GPE_1 of prod has an unknown status. Its outages of the last 10 minutes are below the threshold.',
  ],
  ['license_expiring', situationWith(license), {}, 'The license of prod is valid until 2026-09-23 04:53 UTC.'],
  ['license_expiring', situationWith({}), {}, 'The license of prod is not reported.'],
  ['auth_failed', listing(view('queries', 'm1')), lists, 'prod accepts the credentials of collector queries on m1.'],
  [
    'auth_failed',
    listing(view('queries', 'm1', failed)),
    lists,
    'prod no longer rejects the credentials of collector queries on m1; the latest poll failed: no complete response within the deadline.',
  ],
  ['collector_blind', listing(view('queries', 'm1')), lists, 'The collector queries has data again on m1.'],
  [
    'collector_blind',
    listing(view('queries', 'm1', { fresh: false, reason: 'auth', message: 'status 403' })),
    lists,
    'The collector queries has no data on m1, for a reason that does not fire this alert: status 403.',
  ],
  [
    'check_overdue',
    listing(view('consistency', '', { lastSuccess: wall })),
    {},
    'A consistency check of prod finished at 2026-09-22 04:53 UTC.',
  ],
  ['check_overdue', listing(), {}, 'No consistency checks of prod are configured.'],
  [
    'abort_unconfirmed',
    guarded({ aborts: [abort({ outcome: 'confirmed' })] }),
    { ...abortIdentity, outcome },
    'The server confirmed the abort, and the query is no longer listed.',
  ],
  [
    'abort_unconfirmed',
    guarded(),
    { ...abortIdentity, outcome },
    `graphwarden follows an abort for one hour. Last result: ${outcome}.`,
  ],
  [
    'query_aborted',
    guarded({ aborts: [abort({ outcome: 'finished_first' })] }),
    { ...abortIdentity, outcome: 'The result is not known yet' },
    'The server found nothing to abort, and the query is no longer listed: it had ended by itself.',
  ],
])('%s is resolved with the state now, case %#', (name, situation, values, text) => {
  const rule = ruleNamed(name);
  const current = rule.scope === 'cluster' ? (rule.current?.(situation, values) ?? {}) : {};
  expect(render(rule.resolved ?? '', { cluster_name: 'prod', ...values, ...current })).toBe(text);
});

function ruleNamed(name: string): Rule {
  const found = rules.find((rule) => rule.name === name);
  if (found === undefined) throw new Error(`there is no rule ${name}`);
  return found;
}
