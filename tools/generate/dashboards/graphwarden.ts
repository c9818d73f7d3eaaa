import type { DashboardDefinition } from './definition.ts';
import { calls } from './graphwarden/calls.ts';
import { collectors } from './graphwarden/collectors.ts';
import { selfMaintenance } from './graphwarden/maintenance.ts';
import { pollResults } from './graphwarden/poll-results.ts';
import { processRow } from './graphwarden/process.ts';
import { receivers } from './graphwarden/receivers.ts';
import { traces } from './graphwarden/traces.ts';

/** Health of graphwarden itself: polls, receivers, state and process. */
export const graphwarden: DashboardDefinition = {
  name: 'graphwarden',
  title: 'Graphwarden / Graphwarden itself',
  description:
    'Polls, receivers, state and process of graphwarden: is its data complete, and are its notifications delivered?',
  annotations: [],
  rows: [collectors, calls, pollResults, receivers, traces, selfMaintenance, processRow],
};
