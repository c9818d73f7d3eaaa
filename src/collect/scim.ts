import { ok } from '../kernel/result.ts';
import { gauge, sample } from '../metric/metric.ts';
import { collector } from './collector.ts';

const users = gauge({
  name: 'graphdb_scim_users',
  help: 'Number of users that SCIM exposes to an identity provider.',
  source: 'GET /gsql/scim/v2/Users: totalResults',
});

const groups = gauge({
  name: 'graphdb_scim_groups',
  help: 'Number of groups that SCIM exposes to an identity provider.',
  source: 'GET /gsql/scim/v2/Groups: totalResults',
});

interface ScimCounts {
  readonly users: number;
  readonly groups: number;
}

/** Numbers of users and groups over SCIM, to compare with those of `users`: provisioning that lags shows as a difference. */
export const scim = collector<ScimCounts>({
  name: 'scim',
  about: 'Number of users and groups over SCIM. Two requests to the GSQL server per poll. Disabled by default.',
  scope: 'cluster',
  metrics: [users, groups],
  defaults: { enabled: false, interval: 300_000, timeout: 30_000 },
  calls: ['scimUsers', 'scimGroups'],
  privilege: 'READ_USER, READ_PROXYGROUP',
  async poll(db, signal) {
    const known = await db.scimUsers(signal);
    if (!known.ok) return known;
    const grouped = await db.scimGroups(signal);
    return grouped.ok ? ok({ users: known.value, groups: grouped.value }) : grouped;
  },
  samples: (counts) => [sample(users, {}, counts.users), sample(groups, {}, counts.groups)],
});
