import { instanceMarks } from '../../model/instance-name.ts';

/** Returns a Go template for a label that some alerts lack: `before` and the value of the label, or nothing. */
export function labelPart(label: string, before: string): string {
  return `{{ with $labels.${label} }}${before}{{ . }}{{ end }}`;
}

/** Go template for the name of a partition of a service, such as `GPE_1`. */
export const partitionTemplate = `{{ $labels.service_name }}${labelPart('partition', instanceMarks.partition)}`;

/** Go template for the name of a service instance, such as `GPE_1#2`. */
export const instanceTemplate = `${partitionTemplate}${labelPart('replica', instanceMarks.replica)}`;

/** Go template for where a collector polls: `on m1` or `of the cluster`. */
export const placeTemplate = '{{ with $labels.node }}on {{ . }}{{ else }}of the cluster{{ end }}';

/** Go template for where a probe runs: `prod/m1` or `prod`. */
export const probePlaceTemplate = `{{ $labels.cluster_name }}${labelPart('node', '/')}`;

/** Go template for the policy that aborts a query: ` by the policy runaway`, or nothing for a manual abort. */
export const policyTemplate = labelPart('policy', ' by the policy ');
