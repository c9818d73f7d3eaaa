import {
  authorizationValue,
  basicAuthValue,
  monitorTlsValue,
  relabelingList,
  ruleGroupList,
  selectorValue,
} from './kubernetes-parts.ts';
import { alertOverrides, thresholdValues } from './threshold-values.ts';
import {
  booleanValue,
  enumList,
  type Fields,
  integerValue,
  labelKeyValue,
  labelMap,
  labelNameValue,
  labelTextValue,
  patternValue,
  requiredValue,
  section,
  stringList,
  stringMap,
  stringValue,
} from './value.ts';

/** Values of a ServiceMonitor or PodMonitor. */
function monitor(about: string, isService: boolean): Fields[string] {
  return section(about, {
    enabled: booleanValue('Creates the monitor. Requires the Prometheus operator.', false),
    namespace: labelNameValue('Namespace of the monitor. If empty, the namespace of the release.'),
    labels: labelMap('Labels of the monitor, by which the operator selects it, often `release: NAME`.'),
    annotations: stringMap('Annotations of the monitor.'),
    job: stringValue('Value of the `job` label, which dashboards and rules expect.', 'graphwarden'),
    interval: stringValue('Scrape interval.', '15s'),
    scrapeTimeout: stringValue('Scrape timeout.', '10s'),
    honorLabels: booleanValue('Keeps the `node` and `cluster_name` labels of graphwarden on a conflict.', true),
    scrapeProtocols: enumList('Scrape protocols in order of preference. If empty, the default of Prometheus.', [
      'OpenMetricsText1.0.0',
      'OpenMetricsText0.0.1',
      'PrometheusText1.0.0',
      'PrometheusText0.0.4',
      'PrometheusProto',
    ]),
    sampleLimit: integerValue('Maximum number of samples per scrape; 0 means no limit.', 0),
    targetLabels: stringList('Labels to copy from the Service or the pod.'),
    relabelings: relabelingList('Relabeling of the target.'),
    metricRelabelings: relabelingList('Relabeling of the samples.'),
    tlsConfig: monitorTlsValue('TLS configuration, with `web.scheme: https`.', isService),
    basicAuth: basicAuthValue('Basic authentication, with `web`.'),
    authorization: authorizationValue('Authorization with a token.'),
  });
}

/** Monitors, rules and dashboards. */
export const monitoringValues: Fields = {
  serviceMonitor: monitor('ServiceMonitor for the daemon.', true),
  podMonitor: monitor(
    'PodMonitor for the pod of the daemon or, in sidecar mode, for the sidecars, which it selects by `clusters[].podLabels`.',
    false,
  ),
  prometheusRule: section(
    'PrometheusRule with the alerting and recording rules. Use it or `config.alerts.receivers` for an alert, not both.',
    {
      enabled: booleanValue('Creates the PrometheusRule. Requires the Prometheus operator.', false),
      namespace: labelNameValue('Namespace of the PrometheusRule. If empty, the namespace of the release.'),
      labels: labelMap('Labels of the PrometheusRule, by which the operator selects it.'),
      annotations: stringMap('Annotations of the PrometheusRule.'),
      alertLabels: stringMap('Additional labels of every alert.', {}, '[a-zA-Z_][a-zA-Z0-9_]*'),
      grafanaUrl: patternValue(
        'Address of Grafana for the links of alerts to dashboards, such as `https://grafana.example.org`. If empty, `config.alerts.grafana_url`, unless it refers to the environment; without either, alerts have no such link.',
        'https?://.+',
      ),
      disabled: stringList('Names of alerts to omit.'),
      thresholds: thresholdValues,
      alerts: alertOverrides,
      extraGroups: ruleGroupList('Additional rule groups.'),
    },
  ),
  dashboards: section('Grafana dashboards.', {
    enabled: booleanValue('Creates a ConfigMap for each dashboard, for the sidecar of Grafana.', false),
    namespace: labelNameValue('Namespace of the dashboards. If empty, the namespace of the release.'),
    label: labelKeyValue('Label by which Grafana finds the ConfigMaps.', 'grafana_dashboard'),
    labelValue: labelTextValue('Value of the label.', '1'),
    annotations: stringMap('Annotations of each ConfigMap, such as `grafana_folder: Databases`.'),
    grafanaOperator: section('GrafanaDashboard objects for the Grafana operator.', {
      enabled: booleanValue('Creates a GrafanaDashboard for each dashboard.', false),
      instanceSelector: selectorValue(
        'Selector of the Grafana instances. If empty, `matchLabels: { dashboards: grafana }`.',
      ),
      folder: stringValue('Folder in Grafana.'),
      resyncPeriod: requiredValue('Resync period of the operator.', '([0-9]+([.][0-9]+)?(ns|us|µs|ms|s|m|h))+', '10m'),
      allowCrossNamespaceImport: booleanValue('Allows Grafana instances in other namespaces.', true),
    }),
  }),
};
