import { gauge, sample } from '../metric/metric.ts';
import { type StatementList, statementStates } from '../model/statement.ts';
import { collector } from './collector.ts';

const state = gauge({
  name: 'graphdb_statement_state',
  help: 'Whether the asynchronous statement is in the state (1) or not (0); statement is its name in the configuration.',
  labels: ['statement', 'state'],
  source: 'GET /gsql/v1/statements/{requestId}: error, message, endTime',
});

const fileProblems = gauge({
  name: 'graphdb_statements_file_problems',
  help: 'Number of lines of the statements file that cannot be used, or 1 if the file cannot be read; absent without a file.',
  source: 'clusters[].statements_file',
});

/** Asynchronous GSQL statements that the configuration names; the server has no list of them. */
export const statements = collector<StatementList>({
  name: 'statements',
  about:
    'State of the asynchronous statements in `clusters[].statements` and in `clusters[].statements_file`. One request to the GSQL server per statement and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [state, fileProblems],
  defaults: { enabled: false, interval: 60_000, timeout: 30_000 },
  calls: ['statements'],
  privilege: '',
  poll: (db, signal) => db.statements(signal),
  samples: ({ statements: listed, fileProblems: problems }) => [
    ...listed.flatMap(({ name, state: current }) =>
      statementStates.map((one) => sample(state, { statement: name, state: one }, one === current ? 1 : 0)),
    ),
    ...(problems === undefined ? [] : [sample(fileProblems, {}, problems)]),
  ],
});
