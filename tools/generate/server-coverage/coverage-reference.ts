import { collectors } from '../../../src/collect/all.ts';
import type { CollectorCall as DatabaseFunction } from '../../../src/collect/collector.ts';
import { probeKinds } from '../../../src/collect/probes/kinds/all.ts';
import type { CallName } from '../../../src/graphdb/calls.ts';
import { destructivePrivileges } from '../../../src/model/users.ts';
import { type GeneratedFile, generatedNotice, table } from '../generated-file.ts';
import { administrationEndpoints } from './administration-endpoints.ts';
import { dataPlaneEndpoints } from './data-plane-endpoints.ts';
import type { EndpointGroup } from './endpoint-group.ts';

/** Endpoints of the server, by system and use. */
export const endpointGroups: readonly EndpointGroup[] = [...administrationEndpoints, ...dataPlaneEndpoints];

/** Functions of the client that make calls with other names. */
const callsOf: Partial<Readonly<Record<DatabaseFunction, readonly CallName[]>>> = {
  versions: ['restppVersion', 'gsqlVersion'],
  graphSchema: ['graphSchema', 'schemaIndexes', 'schemaJobs'],
  globalSchemaJobs: ['schemaJobs'],
  schemaVersion: ['graphSize'],
  userFunctions: ['functionFile', 'libraryFunctions', 'tuples'],
  detachedQueries: ['queryStatus'],
  statements: ['statementStatus'],
};

/** Returns the names of the collectors that make a call. */
export function collectorsOf(call: CallName): readonly string[] {
  return collectors.filter(({ calls }) => calls.some((name) => makes(name, call))).map(({ name }) => name);
}

function makes(name: DatabaseFunction, call: CallName): boolean {
  return callsOf[name]?.includes(call) ?? name === call;
}

/** Returns the kinds of probes that make a call. */
function probesOf(call: CallName): readonly string[] {
  return probeKinds.filter(({ calls }) => calls.includes(call)).map(({ name }) => name);
}

/** Returns what an endpoint is used for, or why it is never called. */
export function describeUse({ call, use }: EndpointGroup): string {
  const watching =
    call === undefined
      ? []
      : collectorsOf(call)
          .filter(isReadOnly)
          .map((name) => `\`${name}\``);
  const watched = watching.length === 0 ? '' : `watched by ${watching.join(', ')}`;
  const probing = call === undefined ? [] : probesOf(call).map((name) => `\`${name}\``);
  const probed = probing.length === 0 ? '' : `probed by ${probing.join(', ')}`;
  return [watched, probed, use ?? ''].filter((text) => text !== '').join('; ');
}

/** Whether a collector changes nothing on the server. */
function isReadOnly(collector: string): boolean {
  return collectors.some((one) => one.name === collector && one.taskRuns === undefined);
}

/** The table of all endpoints of the server. */
export function coverageReference(): GeneratedFile {
  const rows = endpointGroups.flatMap((group) =>
    group.endpoints.map((endpoint) => [`\`${endpoint}\``, group.system, describeUse(group)]),
  );
  const bySystem = rows.toSorted(([, one = ''], [, other = '']) => one.localeCompare(other, 'en'));
  return {
    path: 'docs/coverage.md',
    text: `${introduction}\n\n${table(['endpoint', 'system', 'use'], bySystem)}\n\n${inventories}\n`,
  };
}

const introduction = `# Coverage of the server

${generatedNotice}

Each documented endpoint of the server, and what graphwarden uses it for. The client contains a list of the calls that it can make,
\`src/graphdb/calls.ts\`; the guard can send one more, \`GET /restpp/abortquery/{graph_name}\`, and when the connection to a cluster
closes, graphwarden deletes the token that was issued to it. It can send no other request: a test passes the path of every endpoint that
changes the server to every function of the client.

The paths are those of 4.x. Versions before 4.0 have the same endpoints without the prefix \`/restpp\`, and with \`/gsqlserver/gsql\` instead of
\`/gsql/v1\`; the client detects which form the server uses. Earlier paths that differ otherwise are in the table.`;

const settings = collectors
  .filter(({ defaults }) => !defaults.enabled && defaults.schedule === undefined)
  .map(({ name }) => `  ${name}: { enabled: true }`);

const watching = collectors.filter(({ inventory }) => inventory !== undefined).map(({ name }) => `\`${name}\``);

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const inventories = `## Inventory

Some collectors watch what the server contains. They are disabled by default, because each of them adds requests; [Metrics](metrics.md) states
how many, and the privilege that the server requires. \`graphwarden doctor\` checks the privileges of the collectors that you enable:

\`\`\`yaml
collectors:
${settings.join('\n')}
\`\`\`

${listed(watching)} compare each poll result with the previous one. Each change increases \`graphdb_inventory_changes_total\` and is a
line \`inventory changed\` in the log, with the object, the change, the name of the item and the difference; there are at most 20 lines
for each poll. The first poll result after a start is not compared, so that the log does not contain changes before it; alerts that
compare with an earlier state [continue](alerting.md#delivery-guarantees). If one of the two polls lacks a graph or list, its items are
not compared.

A collector that sends a request for each graph has a limit: it requests the first graphs in alphabetical order, and exposes the number
of the others. graphwarden logs \`collector limit reached\` when a limit begins to drop graphs. If the request for a graph fails, the
other graphs keep their series and alerts; the alerts of the failed graph neither fire nor resolve. With 20 graphs and all collectors at
their default intervals, a node of three gets less than two requests a second, with 200 graphs or more at most five and a half.

The GSQL server requires credentials (\`read_auth\`). Versions before 4.0 do not list queries, indexes and schema change jobs:
\`query_definitions\` is then \`unsupported\`, and \`schema\` omits indexes and schema change jobs.

The documentation of the server does not describe a request that lists the runs of loading jobs. \`loading_jobs\` requests the status of
the runs of a graph without ids, which is assumed to return all of them; it sends versions before 4.0
\`GET /gsqlserver/gsql/loading-jobs\` with \`action=getprogress\` instead. If your server requires ids, the collector fails, and graphwarden
cannot watch its loading jobs: \`graphwarden doctor\` shows the answer.

The configuration of a data source contains addresses and credentials. \`data_sources\` keeps only a digest of it, in memory: the log
states that the configuration changed, not how. \`vector_indexes\` uses a request of 4.2 and later that is not documented; graphwarden
expects the reply that the vendor's tutorial and clients show.

\`user_functions\` keeps digests of the texts of functions, never the texts. It requests all library functions with the regular
expression \`.*\`. The documentation of 4.x does not name the parameter for regular expressions; graphwarden uses
\`isRegularExpression\`, its name in earlier versions. The request for all tuples is that of the vendor's client; only the request for
one tuple by its name is documented.

Queries in detached mode (\`GSQL-ASYNC\`) are installed queries, and the process lists of the server contain them: \`queries\` counts
them, \`query_overdue\` reports them if they exceed their timeout, and the guard and \`graphwarden abort\` can abort them like all
others. \`detached_queries\` adds the number of running queries that are detached, and the outcome of detached queries that are no
longer listed. The server returns the outcome only for a request id, so graphwarden requests it once for each query that disappears from
the list.

The server does not list asynchronous statements. \`statements\` watches the statements whose request ids are in
\`clusters[].statements\`, and those in the file \`clusters[].statements_file\`, which your jobs can write: \`NAME REQUEST_ID\` in each
line, \`#\` for comments. graphwarden checks at each poll whether the file changed. A line that cannot be used is logged as
\`statements file problem\` with \`FILE:LINE\` and counted in \`graphdb_statements_file_problems\`; the other lines are used. While the
file cannot be read, its last content is used. At most 100 statements of a cluster are watched. The names are label values, the ids are
not. The documentation of the server shows only one state, \`SUCCESS\`. graphwarden assumes that a statement with an error, or with
\`FAIL\`, \`ERROR\`, \`ABORT\`, \`CANCEL\` or \`TIMEOUT\` in its message, failed, and that one without an end time is running.

\`rebuild\` and \`expired_tokens\` change the server. They are disabled by default, and run only on their schedule: not for \`/probe\`,
not for \`graphwarden doctor\`, which therefore cannot check their privileges, and not with the checks that an operator starts. Only one
scheduled task of a cluster runs at a time, including \`consistency\`, and \`rebuild\` requests one graph after the other. graphwarden
stores the time of the next run before a run starts, so that no task runs twice within its interval, even after a restart or a crash.
Without durable state, these tasks do not run. Each run is a line \`scheduled task finished\` or \`scheduled task failed\` in the log:

\`\`\`yaml
collectors:
  rebuild: { enabled: true, schedule: '0 4 * * SUN', timeout: 2h }
  expired_tokens: { enabled: true, schedule: '30 4 * * *' }
\`\`\`

\`users\` reads names, flags, privileges and roles of users and groups, and the number of failed logins. Names are never label values;
they are in the log lines of changes only with \`names: true\`. All users and groups are counted, without a limit on their number; a
reply of more than 32 MiB fails with \`too_large\`. Failed logins, new superusers and gained privileges are counted for each account by
comparison with the previous list. The state directory keeps this list, with digests instead of names, so that a grant during a restart
is counted. An account that is missing in a list is remembered for an hour, so that an incomplete list does not look like a grant.
Failed logins are counted only if the previous list is at most an hour old. A destructive privilege is
${listed(destructivePrivileges.map((name) => `\`${name}\``))}. The form of privileges on types (\`childPermissions\`) is not documented;
it is assumed to be that of a graph. The server returns only the users and groups that the caller may see: without \`READ_USER\` and
\`READ_PROXYGROUP\`, the numbers are too low, and neither the collector nor \`graphwarden doctor\` reports an error.`;
