import type { AlertView } from '../../src/alert/alert-view.ts';
import type { Acknowledgement } from '../../src/alert/alerting.ts';
import { incidentRoutes } from '../../src/app/api/incident-routes.ts';
import { createHandler } from '../../src/app/api/routes.ts';
import { ok } from '../../src/kernel/result.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { recordingLogger } from '../support/logger.ts';
import { forOperator } from '../support/open-access.ts';
import { serve } from '../support/served-listener.ts';

const wall = Date.parse('2026-01-31T12:00:00Z');

/** Starts the incident routes of a daemon with the firing incident `k1-7`. */
export async function startIncidentApi() {
  let acknowledgement: Acknowledgement | undefined;
  const incident: AlertView = {
    key: 'k1',
    episode: 7,
    rule: 'disk_filling',
    severity: 'warning',
    phase: 'firing',
    labels: {},
    annotations: {},
    startsAt: wall,
  };
  const dependencies = {
    log: recordingLogger(),
    config: () => ({ operators: [] }),
    prefix: () => '',
    history: memoryStore(),
    deliveries: () => [],
    alerts: () => [acknowledgement === undefined ? incident : { ...incident, acknowledgement }],
    acknowledge: async (_: string, given: Acknowledgement | undefined) => {
      acknowledgement = given;
      return ok(undefined);
    },
    now: () => ({ wall, mono: 0 }),
  };
  const { url } = await serve(forOperator(createHandler(incidentRoutes(dependencies), () => '')));
  return { url, acknowledgement: () => acknowledgement };
}
