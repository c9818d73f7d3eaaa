import type { DashboardDefinition } from './definition.ts';
import { calls } from './graphwarden/calls.ts';
import { collectors, polls } from './graphwarden/collectors.ts';
import { configurations, selfMaintenance } from './graphwarden/maintenance.ts';
import { pollResults } from './graphwarden/poll-results.ts';
import { processRow } from './graphwarden/process.ts';
import { deliveries, receivers } from './graphwarden/receivers.ts';
import { replicas } from './graphwarden/replicas.ts';
import { traces } from './graphwarden/traces.ts';

/** Health of graphwarden itself: polls, receivers, state and process. */
export const graphwarden: DashboardDefinition = {
  name: 'graphwarden',
  title: 'Graphwarden / Graphwarden itself',
  description:
    'Polls, receivers, state and process of graphwarden: is its data complete, and are its notifications delivered?',
  annotations: [],
  rows: [
    selfMaintenance,
    collectors,
    receivers,
    polls,
    calls,
    pollResults,
    deliveries,
    traces,
    replicas,
    processRow,
    configurations,
  ],
};
