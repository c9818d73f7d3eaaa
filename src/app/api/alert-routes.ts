import type { AlertView } from '../../alert/alert-view.ts';
import type { Silence } from '../../alert/alerting.ts';
import { formatMatcher } from '../../alert/matcher.ts';
import type { Rule } from '../../alert/rule.ts';
import { newSilenceId, parseSilence, silenceRequestSchema } from '../../alert/silence-request.ts';
import {
  type AlertReport,
  alertPhases,
  alertSchema,
  createdSilenceSchema,
  silencePreviewSchema,
  silenceSchema,
} from '../../api/alerts.ts';
import { doneSchema, livePageSchema, pageSchema } from '../../api/fields.ts';
import type { LabelSettings } from '../../config/alert-labels.ts';
import type { OperatorAction } from '../../guard/storage/operator-action-rows.ts';
import { parseJson } from '../../kernel/json.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err, type Result } from '../../kernel/result.ts';
import type { Random } from '../../kernel/system.ts';
import type { Instant } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { compareAlerts, type DeliveryLookup, reportAlerts, reportSilence } from '../incidents/alert-report.ts';
import type { KnownValues } from './known-values.ts';
import { type LiveItems, type LiveList, liveItems, liveReply } from './live-list.ts';
import { asOperator, type OperatorSettings, operatorErrors, storedActionErrors } from './operator.ts';
import type { OtherReplicas } from './other-replicas.ts';
import { listErrors, pagedReply, pagingParameters } from './paging.ts';
import { filterParameters } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';
import { previewSilence, type SilenceContext, unknownLabelProblem } from './silence-preview.ts';

/** Inputs of the routes of alerting. */
export interface AlertRouteDependencies {
  readonly log: Logger;
  readonly random: Random;
  readonly config: () => OperatorSettings & LabelSettings;
  readonly rules: readonly Rule[];
  readonly known?: KnownValues;
  readonly alerts: () => readonly AlertView[];
  readonly deliveries: DeliveryLookup;
  /** Absent if no other replica owns clusters. */
  readonly replicas?: OtherReplicas | undefined;
  readonly silences: () => readonly Silence[];
  /** Adds a silence and stores it with the action. The error says why it was not stored: it is active nevertheless. */
  readonly silence: (silence: Silence, action: OperatorAction) => Promise<Result<void, string>>;
  /** Ends a silence; false if there is no such silence. */
  readonly unsilence: (id: string, action: OperatorAction) => Promise<Result<boolean, string>>;
  readonly now: () => Instant;
}

const maxBodyBytes = 16_384;
/** Maximum number of silences, because every evaluation compares every alert with every silence. */
const maxSilences = 1000;

/** Returns the routes of alerts and silences. */
export function alertRoutes(dependencies: AlertRouteDependencies): readonly Route[] {
  return [
    alertsRoute(dependencies),
    {
      method: 'GET',
      path: '/api/v1/silences',
      about: 'Lists the active and scheduled silences, the first to end first.',
      parameters: pagingParameters,
      response: { type: 'application/json', schema: pageSchema(silenceSchema) },
      errorResponses: listErrors,
      handle: async ({ query }) => pagedReply(dependencies.silences().map(reportSilence), query, {}),
    },
    {
      method: 'POST',
      path: '/api/v1/silences',
      about: 'Creates a silence. It suppresses notifications of matching alerts, but not of their resolution.',
      request: silenceRequestSchema,
      response: { type: 'application/json', schema: createdSilenceSchema },
      errorResponses: { ...storedActionErrors, 400: 'The silence is invalid.' },
      handle: (request) => asOperator(request, dependencies.config(), (by) => createSilence(dependencies, request, by)),
    },
    {
      method: 'POST',
      path: '/api/v1/silences/preview',
      about: 'Validates a silence and returns the alerts that it would match now. Creates nothing.',
      request: silenceRequestSchema,
      response: { type: 'application/json', schema: silencePreviewSchema },
      errorResponses: { ...operatorErrors, 400: 'The silence is invalid.' },
      handle: (request) =>
        asOperator(request, dependencies.config(), async () => {
          const silence = await readSilence(dependencies, request);
          if (!silence.ok) return problemReply(400, silence.error);
          return jsonReply(previewSilence(silence.value.matchers, await silenceContext(dependencies)));
        }),
    },
    {
      method: 'DELETE',
      path: '/api/v1/silences/{id}',
      about: 'Ends a silence. Alerts that are still firing are notified now.',
      response: { type: 'application/json', schema: doneSchema('ended') },
      errorResponses: { ...storedActionErrors, 404: 'The silence does not exist.' },
      handle: (request, { id = '' }) =>
        asOperator(request, dependencies.config(), (by) => endSilence(dependencies, id, by)),
    },
  ];
}

function alertsRoute(dependencies: AlertRouteDependencies): Route {
  const { rules, known, replicas } = dependencies;
  const parameters = filterParameters(Object.keys(filters), alertSchema).map((one) => {
    if (one.name === 'rule') return { ...one, schema: { type: 'string', enum: rules.map(({ name }) => name) } };
    return one.name === 'cluster' ? { ...one, about: `${one.about} Empty: alerts about graphwarden itself.` } : one;
  });
  return {
    method: 'GET',
    path: '/api/v1/alerts',
    about: `Lists the alerts by phase (${alertPhases.join(', ')}), the most severe first. Resolved alerts are listed for a limited time.`,
    parameters: [...parameters, ...pagingParameters],
    response: { type: 'application/json', schema: livePageSchema(alertSchema) },
    errorResponses: listErrors,
    handle: (request) => liveReply(replicas, request, { ...alertList(dependencies), known }),
  };
}

const filters: Readonly<Record<string, (item: AlertReport) => string>> = {
  cluster: (item) => item.cluster,
  severity: (item) => item.severity,
  phase: (item) => item.phase,
  state: (item) => item.state,
  rule: (item) => item.rule,
};

/** Inputs of the list of alerts. */
export type AlertListDependencies = Pick<AlertRouteDependencies, 'alerts' | 'deliveries' | 'replicas'>;

function alertList({ alerts, deliveries }: AlertListDependencies): LiveList<AlertReport> {
  const items = reportAlerts(alerts(), deliveries);
  return { path: '/api/v1/alerts', item: alertSchema, items, filters, compare: compareAlerts, hasSelf: true };
}

/** Returns the alerts of all clusters. */
export async function allAlerts(
  dependencies: AlertListDependencies,
): Promise<Pick<LiveItems<AlertReport>, 'items' | 'missing'>> {
  const found = await liveItems(dependencies.replicas, new URLSearchParams(), alertList(dependencies));
  return found.ok ? found.value : { items: [], missing: [] };
}

async function silenceContext(dependencies: AlertRouteDependencies): Promise<SilenceContext> {
  const { items: alerts, missing } = await allAlerts(dependencies);
  return { rules: dependencies.rules, settings: dependencies.config(), alerts, missing };
}

/** Reads and validates the silence of a request; the error is a sentence. */
async function readSilence(
  dependencies: AlertRouteDependencies,
  request: IncomingRequest,
): Promise<Result<Silence, string>> {
  const { random, now } = dependencies;
  const body = parseJson(await request.text(maxBodyBytes));
  const parsed = parseSilence(body, newSilenceId(random), now().wall);
  const context = await silenceContext(dependencies);
  const problem = parsed.ok ? unknownLabelProblem(parsed.value.matchers, context) : parsed.error;
  return parsed.ok && problem === undefined ? parsed : err(`The silence is invalid: ${problem}.`);
}

async function createSilence(
  dependencies: AlertRouteDependencies,
  request: IncomingRequest,
  by: string,
): Promise<OutgoingReply> {
  const { log, silence, silences, now } = dependencies;
  const parsed = await readSilence(dependencies, request);
  if (!parsed.ok) return problemReply(400, parsed.error);
  if (silences().length >= maxSilences) {
    return problemReply(400, `The limit of ${maxSilences} silences is reached: end some of them first.`);
  }
  const stored = await silence(parsed.value, silenceAction(parsed.value, by, now().wall));
  const report = reportSilence(parsed.value);
  log.info('silence created', { ...report, by });
  if (stored.ok)
    return jsonReply({ ...report, ...previewSilence(parsed.value.matchers, await silenceContext(dependencies)) });
  return problemReply(503, `Silence ${report.id} is active, but is lost at the next restart: ${stored.error}`);
}

async function endSilence(
  { log, unsilence, now }: AlertRouteDependencies,
  id: string,
  by: string,
): Promise<OutgoingReply> {
  const ended = await unsilence(id, { at: now().wall, what: 'unsilence', by, cluster: '', subject: id, reason: '' });
  if (ended.ok && !ended.value) return problemReply(404, 'The silence does not exist.');
  log.info('silence ended', { id, by });
  if (ended.ok) return jsonReply({ ended: true });
  return problemReply(503, `Silence ${id} is ended, but returns at the next restart: ${ended.error}`);
}

/** The subject in the audit log is `k3n… until 2026-01-31T14:00:00.000Z: node=~"m1|m2"`. */
function silenceAction({ id, matchers, endsAt, reason }: Silence, by: string, at: number): OperatorAction {
  const subject = `${id} until ${formatTimestamp(endsAt)}: ${matchers.map(formatMatcher).join(', ')}`;
  const cluster = matchers.find(({ name, operator }) => name === 'cluster_name' && operator === '=')?.value ?? '';
  return { at, what: 'silence', by, cluster, subject, reason };
}
