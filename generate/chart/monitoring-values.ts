import { alertOverrides, thresholdValues } from './threshold-values.ts';
import { type Fields, flag, object, objects, section, text, texts, whole, words } from './value.ts';

/** What a monitor of the Prometheus operator has, whatever it selects. */
function monitor(about: string): Fields[string] {
  return section(about, {
    enabled: flag('Have one; needs the Prometheus operator.', false),
    namespace: text('Its namespace; that of the release when empty.'),
    labels: words('Put on it: the operator selects by them, often `release: NAME`.'),
    annotations: words('Put on it.'),
    job: text('The `job` label; dashboards and rules know it by this.', 'graphwarden'),
    interval: text('How often it is scraped.', '15s'),
    scrapeTimeout: text('How long a scrape may take.', '10s'),
    honorLabels: flag('Keep our own `node` and `cluster_name` labels where they clash.', true),
    scrapeProtocols: texts('Formats in order of preference; those of Prometheus when empty.'),
    sampleLimit: whole('Refuse a page with more samples; 0: none is refused.', 0),
    targetLabels: texts('Labels to copy from the Service or the pod.'),
    relabelings: objects('Relabelling of the target.'),
    metricRelabelings: objects('Relabelling of the samples.'),
    tlsConfig: object('TLS, with `web.scheme: https`.'),
    basicAuth: object('User, with `web`.'),
    authorization: object('A token of the scraper.'),
  });
}

/** How it is scraped, and what comes of that. */
export const monitoringValues: Fields = {
  serviceMonitor: monitor('Scrape the daemon by its Service.'),
  podMonitor: monitor('Scrape pods: the daemon, or in sidecar mode the sidecars, by `clusters[].podLabels`.'),
  prometheusRule: section(
    'The alert and recording rules. Use them or `config.alerts.receivers` for the same alert, not both.',
    {
      enabled: flag('Have them; needs the Prometheus operator.', false),
      namespace: text('Their namespace; that of the release when empty.'),
      labels: words('Put on the object: the operator selects by them.'),
      annotations: words('Put on the object.'),
      alertLabels: words('Put on every alert.'),
      disabled: texts('Names of alerts that are left out.'),
      thresholds: thresholdValues,
      alerts: alertOverrides,
      extraGroups: objects('Groups of rules of yours.'),
    },
  ),
  dashboards: section('Grafana dashboards.', {
    enabled: flag('A ConfigMap for each, for the sidecar of Grafana.', false),
    namespace: text('Their namespace; that of the release when empty.'),
    label: text('Label by which Grafana finds them.', 'grafana_dashboard'),
    labelValue: text('Its value.', '1'),
    annotations: words('Put on each, such as `grafana_folder: Databases`.'),
    grafanaOperator: section('A GrafanaDashboard for each, for the Grafana operator.', {
      enabled: flag('Have them.', false),
      instanceSelector: object('Which Grafana gets them; `matchLabels: { dashboards: grafana }` when empty.'),
      folder: text('Folder in Grafana.'),
      resyncPeriod: text('How often they are set right.', '10m'),
      allowCrossNamespaceImport: flag('Let a Grafana of another namespace have them.', true),
    }),
  }),
};
