import type { Manifest } from './chart.ts';

/** What an API server refuses to change, or loses when it is changed, by kind. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['selector'],
  PersistentVolumeClaim: ['accessModes', 'storageClassName', 'volumeName', 'volumeMode'],
  PodDisruptionBudget: ['selector'],
  Service: ['selector', 'type'],
  ServiceMonitor: ['selector'],
  PodMonitor: ['selector'],
};

/** What breaks when the objects of a release become others: what is gone, and what may not change. */
export function upgradeBreakages(before: readonly Manifest[], after: readonly Manifest[]): readonly string[] {
  return before.filter(stays).flatMap((old) => {
    const now = after.find((one) => isSame(old, one));
    if (now === undefined) return [`${title(old)} is gone`];
    return (fixed[old.kind] ?? []).flatMap((field) =>
      JSON.stringify(old.spec?.[field]) === JSON.stringify(now.spec?.[field]) ? [] : [`${title(old)} changes ${field}`],
    );
  });
}

/** The pods of `helm test` come and go. */
function stays({ metadata }: Manifest): boolean {
  return metadata.annotations?.['helm.sh/hook'] === undefined;
}

function isSame(one: Manifest, other: Manifest): boolean {
  return title(one) === title(other);
}

function title({ kind, metadata: { name, namespace } }: Manifest): string {
  return `${kind} ${namespace}/${name}`;
}
