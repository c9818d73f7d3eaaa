import type { ListedCommand } from '../command.ts';

/**
 * All commands in the order of the help page. The first is the default. A command is loaded when it is called, so that it
 * does not load the libraries of the others.
 */
export const commands: readonly ListedCommand[] = [
  { name: 'run', about: 'run the daemon (default command)', load: async () => (await import('./run.ts')).run },
  {
    name: 'demo',
    about: 'run a simulated cluster and a daemon that monitors it',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'init',
    about: 'write a commented starter configuration',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'check-config',
    about: 'validate a configuration file',
    load: async () => (await import('./check-config.ts')).checkConfig,
  },
  {
    name: 'doctor',
    about: 'request each endpoint of the enabled collectors on each node',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'reload',
    about: 'reload the configuration of a running daemon',
    load: async () => (await import('./reload.ts')).reload,
  },
  {
    name: 'status',
    about: 'show the state of each cluster, and the firing alerts',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'services',
    about: 'list the service instances and their status',
    load: async () => (await import('./services.ts')).services,
  },
  {
    name: 'availability',
    about: 'list the availability of replicas and partitions',
    load: async () => (await import('./availability.ts')).availability,
  },
  {
    name: 'checks',
    about: 'list the latest results of the consistency checks',
    load: async () => (await import('./checks.ts')).checks,
  },
  {
    name: 'probes',
    about: 'list the probes with their last runs and objectives',
    load: async () => (await import('./probes.ts')).probes,
  },
  {
    name: 'transitions',
    about: 'list the status transitions of services',
    load: async () => (await import('./transitions.ts')).transitions,
  },
  {
    name: 'queries',
    about: 'list the running and delayed queries on all nodes',
    load: async () => (await import('./queries.ts')).queries,
  },
  { name: 'abort', about: 'abort one running query', load: async () => (await import('./abort.ts')).abort },
  {
    name: 'alerts',
    about: 'list alerts, their states and the notified receivers',
    load: async () => (await import('./alerts.ts')).alerts,
  },
  {
    name: 'notifications',
    about: 'list the notifications that were sent to each receiver, and their results',
    load: async () => (await import('./notifications.ts')).notifications,
  },
  {
    name: 'acknowledge',
    about: 'acknowledge a firing incident, which stops its reminders',
    load: async () => (await import('./acknowledge.ts')).acknowledge,
  },
  {
    name: 'unacknowledge',
    about: 'withdraw the acknowledgement of an incident, which resumes its reminders',
    load: async () => (await import('./unacknowledge.ts')).unacknowledge,
  },
  {
    name: 'alert test',
    about: 'send a test alert and its resolve to each receiver',
    load: async () => (await import('./alert-test.ts')).alertTest,
  },
  {
    name: 'custom try',
    about: 'run one custom query and print its metrics',
    load: async () => (await import('./custom-try.ts')).customTry,
  },
  {
    name: 'silence add',
    about: 'silence the alerts that match all matchers',
    load: async () => (await import('./silence-add.ts')).silenceAdd,
  },
  {
    name: 'silence list',
    about: 'list active and future silences',
    load: async () => (await import('./silence-list.ts')).silenceList,
  },
  {
    name: 'silence end',
    about: 'end a silence early',
    load: async () => (await import('./silence-end.ts')).silenceEnd,
  },
  {
    name: 'guard status',
    about: 'show whether the guard is paused, the mode of each policy and open circuit breakers',
    load: async () => (await import('./guard-status.ts')).guardStatus,
  },
  {
    name: 'guard pause',
    about: 'pause the guard until it is resumed',
    load: async () => (await import('./guard-pause.ts')).guardPause,
  },
  {
    name: 'guard resume',
    about: 'resume the guard',
    load: async () => (await import('./guard-resume.ts')).guardResume,
  },
  {
    name: 'guard reset-breaker',
    about: 'close an open circuit breaker of the guard',
    load: async () => (await import('./guard-reset-breaker.ts')).guardResetBreaker,
  },
  {
    name: 'guard explain',
    about: 'describe in sentences which queries each policy aborts, and when',
    load: async () => (await import('./guard-explain.ts')).guardExplain,
  },
  {
    name: 'guard why',
    about: 'explain what the guard does with one query, and what delays its abort',
    load: async () => (await import('./guard-why.ts')).guardWhy,
  },
  {
    name: 'guard audit',
    about: 'list the aborts of the guard with reason and outcome, and the actions of operators',
    load: async () => (await import('./guard-audit.ts')).guardAudit,
  },
  {
    name: 'guard record',
    about: 'record the running queries of a cluster, without user data, for guard replay',
    load: async () => (await import('./guard-record.ts')).guardRecord,
  },
  {
    name: 'guard replay',
    about: 'replay a recording against the policies of a configuration',
    load: async () => (await import('./guard-replay.ts')).guardReplay,
  },
  {
    name: 'state backup',
    about: 'copy the state database to a file, even while the daemon runs',
    load: async () => (await import('./state-backup.ts')).stateBackup,
  },
  {
    name: 'state restore',
    about: 'replace the state database of a stopped daemon with a copy',
    load: async () => (await import('./state-restore.ts')).stateRestore,
  },
  {
    name: 'state migrate',
    about: 'copy the state of stopped daemons to PostgreSQL, or back',
    load: async () => (await import('./state-migrate.ts')).stateMigrate,
  },
  {
    name: 'state check',
    about: 'check a state database: integrity, schema version and bounds',
    load: async () => (await import('./state-check.ts')).stateCheck,
  },
  {
    name: 'healthcheck',
    about: 'check that a running daemon serves requests',
    load: async () => (await import('./healthcheck.ts')).healthcheck,
  },
  {
    name: 'completion',
    about: 'print the completion script of a shell',
    load: async () => (await import('./completion.ts')).completion,
  },
  { name: 'version', about: 'print the version', load: async () => (await import('./version.ts')).version },
];
