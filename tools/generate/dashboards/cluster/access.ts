import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, rate } from '../promql.ts';

const usersAreOff = 'the collector users is disabled by default';
const scimIsOff = 'the collector scim is disabled by default';

/** Who may do what on the server. */
export const access = collapsedRow('Users and privileges', 8, [
  timeseries(
    'Users',
    'Users that may log in (enabled) or not (disabled), and the users that an identity provider gets over SCIM. A difference can mean that provisioning is delayed.',
    [
      query(deduplicated('graphdb_users'), '{{cluster_name}} {{state}}'),
      query(deduplicated('graphdb_scim_users'), '{{cluster_name}} over SCIM'),
    ],
    { emptyWhenHealthy: usersAreOff },
  ),
  timeseries(
    'Groups and roles',
    'Proxy groups, the groups that an identity provider gets over SCIM, and roles by kind.',
    [
      query(deduplicated('graphdb_user_groups'), '{{cluster_name}} groups'),
      query(deduplicated('graphdb_scim_groups'), '{{cluster_name}} groups over SCIM'),
      query(deduplicated('graphdb_roles'), '{{cluster_name}} roles {{kind}}'),
    ],
    { emptyWhenHealthy: scimIsOff },
  ),
  timeseries(
    'Superusers',
    'Users and groups with the role superuser, who may do everything.',
    query(deduplicated('graphdb_superusers'), '{{cluster_name}} {{holder}}'),
    { emptyWhenHealthy: usersAreOff, rules: ['new_superuser'] },
  ),
  timeseries(
    'Holders of destructive privileges',
    'Users and groups, without superusers, that may delete data or definitions.',
    query(`${deduplicated('graphdb_destructive_privilege_holders')} > 0`, '{{cluster_name}} {{holder}} {{privilege}}'),
    { emptyWhenHealthy: usersAreOff, rules: ['destructive_privilege_granted'] },
  ),
  timeseries(
    'Failed logins',
    'Failed logins of all users per minute. A steep rise can mean that an attacker guesses passwords.',
    query(`60 * ${rate('graphdb_failed_logins_total')}`, '{{cluster_name}}'),
    { emptyWhenHealthy: usersAreOff, rules: ['failed_logins'] },
  ),
]);
