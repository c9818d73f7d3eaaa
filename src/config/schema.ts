import { z } from 'zod';
import type { RouteSettings } from '../alert/alerting.ts';
import type { Rule } from '../alert/rule.ts';
import { rulesSection } from '../alert/rules-section.ts';
import { inhibitRulesSection, maintenanceSection, routesSection, templatesSection } from '../alert/settings.ts';
import type { Collector } from '../collect/collector.ts';
import { customSection } from '../collect/custom/settings.ts';
import { probesSection } from '../collect/probes/settings.ts';
import { collectorsSection } from '../collect/settings.ts';
import { limitsSection } from '../expose/settings.ts';
import { clusterSection } from '../graphdb/settings.ts';
import { durationField, sizeField, urlField } from '../graphdb/settings-fields.ts';
import { guardSection } from '../guard/guard-section.ts';
import type { Retention } from '../kernel/store.ts';
import { receiversSection } from '../notify/receivers-section.ts';
import { telemetrySection } from '../trace/telemetry-section.ts';
import { trackerSection } from '../track/settings.ts';
import { accessFields } from './access-section.ts';
import type { AlertsConfig, Config } from './config.ts';
import { type GivenSharedState, sharedStateFields, toSharedState } from './replica-database-section.ts';

const logSection = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).prefault('info').describe('Minimum level of log lines.'),
    format: z
      .enum(['json', 'pretty', 'auto'])
      .prefault('auto')
      .describe('`json` lines or `pretty` text; `auto` is `pretty` on a terminal, otherwise `json`.'),
  })
  .prefault({})
  .describe('Log, written to standard error.');

/** Whether the path of a URL can be decoded: request paths are compared with the decoded path. */
function hasReadablePath(address: string): boolean {
  try {
    return decodeURIComponent(new URL(address).pathname) !== '';
  } catch {
    return false;
  }
}

/** Schema of the configuration file, composed of the sections of all modules. */
export function configSchema(collectors: readonly Collector[], rules: readonly Rule[]) {
  return z
    .strictObject({
      listen: listenField.prefault('0.0.0.0:9916').describe('Listen address: `host:port`, `:port` or `[::1]:port`.'),
      external_url: urlField('https://warden.example.org/')
        .refine(hasReadablePath, { error: 'must have a correctly percent-encoded path' })
        .optional()
        .describe('External URL, used in links and as generator URL; its path is the route prefix.'),
      web_config_file: z
        .string()
        .min(1)
        .optional()
        .describe('Web config file in exporter-toolkit format: TLS, client certificates and users.')
        .meta({ examples: ['web.yml'] }),
      ...accessFields,
      state_dir: stateDirField
        .prefault(defaultStateDir)
        .describe('State directory; a relative path is resolved against the working directory.'),
      ...sharedStateFields,
      scope: z
        .enum(['all', 'node', 'cluster'])
        .prefault('all')
        .describe(
          'Collectors that this process runs: `all`; `node`: only those of scope `node`, and the guard (sidecar); `cluster`: only those of scope `cluster`.',
        ),
      unready_on_rejected_config: z
        .boolean()
        .prefault(false)
        .describe(
          'Whether `/-/ready` returns 503 while the configuration file or the web config file is rejected, which stops a rollout.',
        ),
      log: logSection,
      clusters: z.array(clusterSection).min(1).describe('Clusters to monitor.'),
      collectors: collectorsSection(collectors).prefault({}).describe('Collectors with their intervals and timeouts.'),
      custom: customSection,
      probes: probesSection,
      limits: limitsSection.prefault({}).describe('Limits on memory, series and response sizes.'),
      state: stateSection.prefault({}).describe('Retention of the state database.'),
      tracker: trackerSection.describe('Confirmation of status changes, and flapping detection.'),
      alerts: alertsSection(rules).describe('Alert rules, routes, receivers and maintenance windows.'),
      guard: guardSection.describe('Query guard: policies, budgets and mode.'),
      telemetry: telemetrySection,
    })
    .transform(toConfig);
}

type RenamedKey =
  | 'externalUrl'
  | 'webConfigFile'
  | 'stateDir'
  | 'sharedState'
  | 'unreadyOnRejectedConfig'
  | 'rejection';

interface GivenConfig extends Omit<Config, RenamedKey>, GivenSharedState {
  readonly external_url?: string | undefined;
  readonly web_config_file?: string | undefined;
  readonly state_dir: string;
  readonly unready_on_rejected_config: boolean;
}

function toConfig({
  external_url: externalUrl,
  web_config_file: webConfigFile,
  state_dir: stateDir,
  state_url: stateUrl,
  state_password_file: statePasswordFile,
  state_tls: stateTls,
  unready_on_rejected_config: unreadyOnRejectedConfig,
  ...rest
}: GivenConfig): Config {
  const sharedState = toSharedState({
    state_url: stateUrl,
    state_password_file: statePasswordFile,
    state_tls: stateTls,
  });
  return {
    ...rest,
    ...(externalUrl === undefined ? {} : { externalUrl }),
    ...(webConfigFile === undefined ? {} : { webConfigFile }),
    stateDir,
    ...(sharedState === undefined ? {} : { sharedState }),
    unreadyOnRejectedConfig,
  };
}

/** `host:port`, `:9916` for every interface, or `[::1]:9916`; port 0 takes a free one. */
export const listenField = z
  .string()
  .transform((text, context) => {
    const [, six, four, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text) ?? [];
    if (port !== undefined && Number(port) <= 65535) return { host: six ?? (four || '0.0.0.0'), port: Number(port) };
    context.issues.push({
      code: 'custom',
      message: 'must be host:port, :port or [address]:port, with a port up to 65535',
      input: '',
    });
    return z.NEVER;
  })
  .meta({ examples: ['127.0.0.1:9916'] });

/** Schema of the `alerts` section. */
function alertsSection(rules: readonly Rule[]) {
  return z
    .strictObject({
      receivers: receiversSection,
      routes: routesSection,
      maintenance: maintenanceSection,
      inhibit_rules: inhibitRulesSection,
      rules: rulesSection(rules),
      templates: templatesSection,
      runbook_url: urlField('https://wiki.example.org/graphwarden/runbook')
        .optional()
        .describe(
          'URL of the runbook that alerts link to; the name of the rule is the anchor. Default: the runbook that the daemon serves (`/docs/runbook`) if `external_url` is set, otherwise the online runbook of this version.',
        ),
      grafana_url: urlField('https://grafana.example.org')
        .optional()
        .describe(
          'URL of a Grafana with the dashboards of graphwarden. Alerts link to the dashboard of their cluster or node; if omitted, they have no such link.',
        ),
    })
    .transform(
      ({ runbook_url: runbookUrl, grafana_url: grafanaUrl, inhibit_rules: inhibitRules, ...given }): AlertsConfig => ({
        ...given,
        inhibitRules,
        ...(runbookUrl === undefined ? {} : { runbookUrl }),
        ...(grafanaUrl === undefined ? {} : { grafanaUrl }),
        routes: routesOrDefault(given),
      }),
    )
    .prefault({});
}

/** Default routes for receivers without routes: all alerts to each receiver, critical alerts in a group of their own. */
function routesOrDefault({
  receivers: all,
  routes,
}: Pick<AlertsConfig, 'receivers' | 'routes'>): readonly RouteSettings[] {
  if (routes.length > 0 || all.length === 0) return routes;
  const receivers = all.map(({ name }) => name);
  return routesSection.parse([{ matchers: ['severity="critical"'], receivers }, { receivers }]);
}

/** Minimum size of the database: a smaller one would drop rows that were just written. */
const minDatabaseSize = 16 * 2 ** 20;

const retentionSection = z
  .strictObject({
    transitions: durationField.prefault('400d').describe('Retention of status transitions.'),
    audit: durationField
      .prefault('400d')
      .describe(
        'Retention of the audit; with policies, at least the longest period of `guard.budgets` and `guard.breakers`.',
      ),
    notifications: durationField.prefault('30d').describe('Retention of notifications.'),
    size: sizeField(minDatabaseSize)
      .prefault('2GiB')
      .describe('Maximum size of the database; the oldest rows are deleted first.'),
  })
  .transform((given): Retention => given)
  .prefault({})
  .describe('Retention of the data in `state_dir`.');

/** State directory of a configuration that names none. */
export const defaultStateDir = './state';

/** State directory, used by one daemon at a time. */
export const stateDirField = z
  .string()
  .min(1)
  .refine((path) => !/\p{Cc}/u.test(path), { error: 'must not contain line breaks or control characters' });

/** Schema of the `state` section. */
export const stateSection = z.strictObject({ retention: retentionSection });
