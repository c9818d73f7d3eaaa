import type { AlertView } from '../../alert/alert-view.ts';
import type { Acknowledgement } from '../../alert/alerting.ts';
import { type AlertReport, acknowledgeRequestSchema, alertSchema } from '../../api/alerts.ts';
import type { OperatorAction } from '../../guard/storage/operator-action-rows.ts';
import { parseJson } from '../../kernel/json.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Instant } from '../../kernel/time.ts';
import { heartbeatRule, shortIncidentId } from '../../model/alert.ts';
import { reportAlerts } from '../incidents/alert-report.ts';
import { type AlertListDependencies, allAlerts } from './alert-routes.ts';
import { asOperator, type OperatorSettings, storedActionErrors } from './operator.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route, RouteCluster } from './routes.ts';

/** Inputs of the routes of incidents. */
export interface IncidentRouteDependencies extends AlertListDependencies {
  readonly log: Logger;
  readonly config: () => OperatorSettings;
  /**
   * Acknowledges a firing incident, or without `acknowledgement` withdraws that, and stores it with the action. The error
   * says why it was not stored: it has taken effect nevertheless.
   */
  readonly acknowledge: (
    id: string,
    acknowledgement: Acknowledgement | undefined,
    action: OperatorAction,
  ) => Promise<Result<void, string>>;
  readonly now: () => Instant;
}

const maxBodyBytes = 16_384;

const incidentErrors: Readonly<Record<number, string>> = {
  404: 'No incident has this ID, or it was resolved long ago.',
  503: 'The incident is not found, but a replica that may have it does not answer.',
};

const actionErrors: Readonly<Record<number, string>> = {
  ...incidentErrors,
  ...storedActionErrors,
  409: 'The incident is resolved, or not acknowledged.',
};

const acknowledgeErrors: Readonly<Record<number, string>> = { ...actionErrors, 400: 'The body is invalid.' };

/** Returns the routes of single incidents: the object and the acknowledgement. */
export function incidentRoutes(dependencies: IncidentRouteDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/incidents/{id}',
      about: 'Returns one incident that is firing, or was resolved recently, by the ID in its notifications.',
      response: { type: 'application/json', schema: alertSchema },
      errorResponses: incidentErrors,
      handle: async ({ replica }, { id = '' }) => {
        const found = replica === undefined ? await findReport(dependencies, id) : ok(undefined);
        if (!found.ok) return problemReply(503, found.error);
        return found.value === undefined
          ? await withIncident(dependencies, id, incidentReply(dependencies))
          : jsonReply(found.value);
      },
    },
    {
      method: 'POST',
      path: '/api/v1/incidents/{id}/acknowledge',
      about: 'Acknowledges a firing incident: its reminders stop, and its other receivers are notified.',
      request: acknowledgeRequestSchema,
      clusterOf: clusterOfIncident(dependencies),
      response: { type: 'application/json', schema: alertSchema },
      errorResponses: acknowledgeErrors,
      handle: (request, { id = '' }) =>
        asOperator(request, dependencies.config(), async (by) => {
          const body = parseJson(await request.text(maxBodyBytes));
          return await acknowledge(dependencies, { id, by, body });
        }),
    },
    {
      method: 'POST',
      path: '/api/v1/incidents/{id}/unacknowledge',
      about: 'Withdraws the acknowledgement of a firing incident: its reminders resume.',
      clusterOf: clusterOfIncident(dependencies),
      response: { type: 'application/json', schema: alertSchema },
      errorResponses: actionErrors,
      handle: (request, { id = '' }) =>
        asOperator(request, dependencies.config(), (by) => unacknowledge(dependencies, id, by)),
    },
  ];
}

function incidentReply({ deliveries }: IncidentRouteDependencies): IncidentReply {
  return async (incident) => jsonReply(reportAlerts([incident], deliveries)[0]);
}

function findIncident({ alerts }: IncidentRouteDependencies, id: string): AlertView | undefined {
  const incidents = alerts().filter((alert) => alert.episode > 0 && alert.rule !== heartbeatRule);
  return incidents.find((alert) => shortIncidentId(alert) === id);
}

/** Finds an incident of all clusters; the error is that it may be one of a replica that does not answer. */
async function findReport(
  dependencies: AlertListDependencies,
  id: string,
): Promise<Result<AlertReport | undefined, string>> {
  const { items, missing } = await allAlerts(dependencies);
  const found = items.find(({ incident, rule }) => incident === id && rule !== heartbeatRule);
  if (found !== undefined || missing.length === 0) return ok(found);
  const names = missing.map(({ replica, reason }) => `${replica === '' ? 'some clusters' : replica} (${reason})`);
  return err(
    `No incident with the ID '${id.slice(0, 100)}' is found, but the search is incomplete: ${names.join(', ')}.`,
  );
}

/** Returns whether an incident fires or was resolved recently; true also if a replica that may have it does not answer. */
export async function mayBeIncident(dependencies: AlertListDependencies, id: string): Promise<boolean> {
  const found = await findReport(dependencies, id);
  return !found.ok || found.value !== undefined;
}

/** The owner of its cluster acknowledges an incident. */
function clusterOfIncident(dependencies: IncidentRouteDependencies): RouteCluster {
  return async (_, { id = '' }) => {
    const found = await findReport(dependencies, id);
    return found.ok ? ok(found.value?.cluster) : found;
  };
}

type IncidentReply = (incident: AlertView) => Promise<OutgoingReply>;

async function withIncident(
  dependencies: IncidentRouteDependencies,
  id: string,
  reply: IncidentReply,
): Promise<OutgoingReply> {
  const incident = findIncident(dependencies, id);
  if (incident !== undefined) return await reply(incident);
  return problemReply(404, `No incident has the ID '${id.slice(0, 100)}', or it was resolved more than an hour ago.`);
}

/** Request to acknowledge an incident; the body is not checked yet. */
interface AcknowledgeRequest {
  readonly id: string;
  /** Operator for the audit log. */
  readonly by: string;
  readonly body: unknown;
}

async function acknowledge(
  dependencies: IncidentRouteDependencies,
  { id, by, body }: AcknowledgeRequest,
): Promise<OutgoingReply> {
  const parsed = acknowledgeRequestSchema.safeParse(body);
  if (!parsed.success) {
    return problemReply(
      400,
      'The body must be an object with at most an author (1 to 100 characters) and a comment (at most 1000 characters).',
    );
  }
  const { author = by, comment = '' } = parsed.data;
  const change = { author, comment, at: dependencies.now().wall };
  return await changeAcknowledgement(dependencies, { id, by, what: 'acknowledge' }, change);
}

async function unacknowledge(dependencies: IncidentRouteDependencies, id: string, by: string): Promise<OutgoingReply> {
  const incident = findIncident(dependencies, id);
  if (incident?.phase === 'firing' && incident.acknowledgement === undefined) {
    return problemReply(409, `Incident ${id} is not acknowledged.`);
  }
  return await changeAcknowledgement(dependencies, { id, by, what: 'unacknowledge' }, undefined);
}

async function changeAcknowledgement(
  dependencies: IncidentRouteDependencies,
  { id, by, what }: Pick<AcknowledgeRequest, 'id' | 'by'> & Pick<OperatorAction, 'what'>,
  change: Acknowledgement | undefined,
): Promise<OutgoingReply> {
  const incident = findIncident(dependencies, id);
  if (incident === undefined) return await withIncident(dependencies, id, incidentReply(dependencies));
  if (incident.phase === 'resolved') return problemReply(409, `Incident ${id} is resolved.`);
  const { cluster_name: cluster = '' } = incident.labels;
  const reason = change?.comment ?? '';
  const stored = await dependencies.acknowledge(id, change, {
    at: dependencies.now().wall,
    what,
    by,
    cluster,
    subject: id,
    reason,
  });
  dependencies.log.info(change === undefined ? 'acknowledgement withdrawn' : 'incident acknowledged', {
    id,
    by,
    ...change,
  });
  if (stored.ok) return await withIncident(dependencies, id, incidentReply(dependencies));
  return problemReply(503, `The change is in effect, but it is lost at the next restart: ${stored.error}`);
}
