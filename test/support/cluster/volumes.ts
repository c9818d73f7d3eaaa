import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { find, get } from './api.ts';
import type { PodSpec, Volume } from './pod-spec.ts';

const hostPath = z.object({ hostPath: z.object({ path: z.string() }) });

/** A folder that a pod mounts. */
export interface MountedVolume {
  readonly folder: string;
  /** Updates the content; resolves to false while an object that it needs is missing. */
  update(): Promise<boolean>;
}

/** Prepares a volume of a pod in `folder`. */
export function openVolume(
  volume: Volume,
  pod: { readonly namespace: string; readonly spec: PodSpec },
  folder: string,
): MountedVolume {
  const group = pod.spec.securityContext?.fsGroup;
  const claim = volume.persistentVolumeClaim?.claimName;
  if (claim !== undefined) return openClaim(claim, pod.namespace, { folder, group });
  mkdirSync(folder, { recursive: true });
  const source = volume.configMap ?? volume.secret;
  if (source === undefined) {
    chmodSync(folder, 0o777);
    return { folder, update: async () => true };
  }
  const path = `/api/v1/namespaces/${pod.namespace}/${volume.secret === undefined ? 'configmaps' : 'secrets'}/${source.name ?? source.secretName}`;
  let version = '';
  return {
    folder,
    update: async () => {
      const object = await find(path);
      if (object === undefined) return source.optional || version !== '';
      if (object.metadata.resourceVersion === version) return true;
      version = object.metadata.resourceVersion;
      const contents = Object.entries(object.data).map(([key, value]): [string, Buffer] => [
        key,
        Buffer.from(value, volume.secret === undefined ? 'utf8' : 'base64'),
      ]);
      const names = new Map(source.items?.map(({ key, path: name }) => [key, name]));
      const chosen = source.items === undefined ? contents : contents.filter(([key]) => names.has(key));
      project(
        folder,
        chosen.map(([key, content]) => [names.get(key) ?? key, content]),
        { version, mode: source.defaultMode, group },
      );
      return true;
    },
  };
}

/** Writes files so that their content changes atomically, as in a real cluster: a symbolic link to a folder is replaced. */
function project(
  folder: string,
  files: readonly (readonly [string, Buffer])[],
  { version, mode, group }: { readonly version: string; readonly mode: number; readonly group: number | undefined },
): void {
  const now = join(folder, `..${version}`);
  mkdirSync(now, { recursive: true });
  for (const [name, content] of files) {
    const file = join(now, name);
    writeFileSync(file, content);
    chmodSync(file, mode | (group === undefined ? 0 : 0o040));
    chownSync(file, 0, group ?? 0);
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined)
      symlinkSync(`..data/${name}`, join(folder, name));
  }
  symlinkSync(`..${version}`, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
}

function openClaim(
  name: string,
  namespace: string,
  { folder, group }: { readonly folder: string; readonly group: number | undefined },
): MountedVolume {
  return {
    folder,
    update: async () => {
      if (existsSync(folder)) return true;
      const claim = await find(`/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`);
      if (claim?.status.phase !== 'Bound') return false;
      const volume = await get(`/api/v1/persistentvolumes/${String(claim.spec.volumeName)}`);
      const { path } = hostPath.parse(volume.spec).hostPath;
      mkdirSync(path, { recursive: true });
      if (group !== undefined) {
        chownSync(path, 0, group);
        chmodSync(path, 0o2775);
      }
      symlinkSync(path, folder);
      return true;
    },
  };
}
