import type { DashboardDefinition } from './definition.ts';
import { calls } from './graphwarden/calls.ts';
import { collectors } from './graphwarden/collectors.ts';
import { processRow } from './graphwarden/process.ts';
import { receivers } from './graphwarden/receivers.ts';
import { sources } from './graphwarden/sources.ts';
import { traces } from './graphwarden/traces.ts';
import { ownUpkeep } from './graphwarden/upkeep.ts';

/** Can what the other dashboards show be believed, and do alerts arrive? */
export const graphwarden: DashboardDefinition = {
  name: 'graphwarden',
  title: 'Graphwarden / Graphwarden itself',
  description: 'Readings, receivers, state and process of graphwarden: can it be believed, and do its alerts arrive?',
  marks: [],
  rows: [collectors, calls, sources, receivers, traces, ownUpkeep, processRow],
};
