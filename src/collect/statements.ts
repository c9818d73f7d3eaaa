import { gauge, sample } from '../metric/metric.ts';
import { type Statement, statementStates } from '../model/statement.ts';
import { collector } from './collector.ts';

const state = gauge({
  name: 'graphdb_statement_state',
  help: 'Whether the asynchronous statement is in the state (1) or not (0); statement is its name in the configuration.',
  labels: ['statement', 'state'],
  source: 'GET /gsql/v1/statements/{requestId}: error, message, endTime',
});

/** Asynchronous GSQL statements that the configuration names; the server has no list of them. */
export const statements = collector<readonly Statement[]>({
  name: 'statements',
  about:
    'State of the asynchronous statements in `clusters[].statements`. One request to the GSQL server per statement and poll. Disabled by default.',
  scope: 'cluster',
  metrics: [state],
  defaults: { enabled: false, interval: 60_000, timeout: 30_000 },
  calls: ['statements'],
  privilege: '',
  poll: (db, signal) => db.statements(signal),
  samples: (listed) =>
    listed.flatMap(({ name, state: current }) =>
      statementStates.map((one) => sample(state, { statement: name, state: one }, one === current ? 1 : 0)),
    ),
});
