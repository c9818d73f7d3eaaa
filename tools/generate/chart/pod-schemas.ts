import {
  closed,
  count,
  flag,
  form,
  has,
  implies,
  key,
  listOf,
  nullable,
  objectNameText,
  oneKey,
  oneOf,
  port,
  portNumber,
  positive,
  reference,
  shortName,
  text,
  texts,
} from './kubernetes-schemas.ts';
import type { JsonSchema } from './value.ts';

/** An amount of a resource. */
export const quantity: JsonSchema = {
  anyOf: [count, form('[0-9]+([.][0-9]+)?(m|[KMGTPE]i|[kMGTPE])?|[0-9]+[eE][0-9]{1,2}')],
};
/** The mode of a file. */
const mode = { type: 'integer', minimum: 0, maximum: 0o777 };
// A path, no part of which begins with `..`.
const step = '([^/.][^/]*|[.][^/.][^/]*|[.])';
const relativePath = form(`${step}(/${step})*/?`);
const absolutePath = form(`/(${step}(/${step})*/?)?`);

/** A command without a shell. */
const commandOf = closed({ command: listOf(text, 1) }, 'command');
const header = closed({ name: form('[-A-Za-z0-9]+'), value: text }, 'name', 'value');
/** A request. */
const httpGet = closed(
  { path: text, port, host: text, scheme: oneOf('HTTP', 'HTTPS'), httpHeaders: listOf(header) },
  'port',
);
const tcpSocket = closed({ port, host: text }, 'port');
/** What a probe can do, one of them. */
const handlers = {
  httpGet,
  exec: commandOf,
  tcpSocket,
  grpc: closed({ port: portNumber, service: text }, 'port'),
};

/** Returns the schema of a probe. Only a readiness probe may require several successes. */
export function probeSchema(isReadiness: boolean): JsonSchema {
  const names = Object.keys(handlers);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => ({ required: [one, other] })));
  return {
    ...closed({
      ...handlers,
      initialDelaySeconds: nullable(count),
      periodSeconds: nullable(positive),
      timeoutSeconds: nullable(positive),
      failureThreshold: nullable(positive),
      successThreshold: isReadiness ? nullable(positive) : { enum: [1, null] },
      ...(isReadiness ? {} : { terminationGracePeriodSeconds: positive }),
    }),
    not: { anyOf: pairs },
  };
}

/** Returns the schema of a probe with a handler of its own, of a container that is not the daemon. */
export function ownProbe(isReadiness: boolean): JsonSchema {
  return { ...probeSchema(isReadiness), anyOf: Object.keys(handlers).map((name) => ({ required: [name] })) };
}

const hook = oneKey({ exec: commandOf, httpGet, tcpSocket, sleep: closed({ seconds: count }, 'seconds') });
/** Lifecycle hooks. Pods of several systems only may name a signal, for which they also need an operating system. */
export const lifecycle = closed({ preStop: hook, postStart: hook });

/** A reference to a Secret or a ConfigMap. */
const source = { name: objectNameText, optional: flag };
const keyOf = closed({ ...source, key }, 'name', 'key');
const fieldRef = closed(
  {
    apiVersion: oneOf('v1'),
    fieldPath: form(
      "metadata[.](name|namespace|uid)|metadata[.](labels|annotations)\\['[^']+'\\]|spec[.](nodeName|serviceAccountName)|status[.](hostIPs?|podIPs?)",
    ),
  },
  'fieldPath',
);
const resourceFieldRef = closed(
  {
    containerName: shortName,
    divisor: quantity,
    resource: form('(limits|requests)[.](cpu|memory|ephemeral-storage|hugepages-.+)'),
  },
  'resource',
);

/** An environment variable. */
export const variable: JsonSchema = {
  not: { required: ['value', 'valueFrom'] },
  ...closed(
    {
      name: form('[ -<>-~]+'),
      value: text,
      valueFrom: oneKey({
        fieldRef,
        resourceFieldRef,
        secretKeyRef: keyOf,
        configMapKeyRef: keyOf,
      }),
    },
    'name',
  ),
};

/** A source of environment variables. */
export const variableSource: JsonSchema = {
  ...closed({ prefix: form('[ -<>-~]*'), configMapRef: closed(source, 'name'), secretRef: closed(source, 'name') }),
  oneOf: [{ required: ['configMapRef'] }, { required: ['secretRef'] }],
};

const items = listOf(closed({ key, path: relativePath, mode }, 'key', 'path'));
const facts = listOf({
  ...closed(
    {
      path: relativePath,
      mode,
      fieldRef,
      resourceFieldRef: { ...resourceFieldRef, required: ['containerName', 'resource'] },
    },
    'path',
  ),
  oneOf: [{ required: ['fieldRef'] }, { required: ['resourceFieldRef'] }],
});
const projected = closed(
  {
    defaultMode: mode,
    sources: listOf(
      oneKey({
        secret: closed({ ...source, items }, 'name'),
        configMap: closed({ ...source, items }, 'name'),
        downwardAPI: closed({ items: facts }),
        serviceAccountToken: closed(
          {
            audience: text,
            expirationSeconds: { type: 'integer', minimum: 600, maximum: 4_294_967_296 },
            path: relativePath,
          },
          'path',
        ),
        clusterTrustBundle: closed(
          { name: text, signerName: text, labelSelector: reference('selector'), optional: flag, path: relativePath },
          'path',
        ),
      }),
    ),
  },
  'sources',
);
const volumeSources = {
  secret: closed({ secretName: objectNameText, items, defaultMode: mode, optional: flag }, 'secretName'),
  configMap: closed({ name: objectNameText, items, defaultMode: mode, optional: flag }, 'name'),
  emptyDir: closed({ medium: oneOf('', 'Memory', 'HugePages', 'HugePages-2Mi', 'HugePages-1Gi'), sizeLimit: quantity }),
  persistentVolumeClaim: closed({ claimName: objectNameText, readOnly: flag }, 'claimName'),
  projected,
  downwardAPI: closed({ items: facts, defaultMode: mode }),
  hostPath: closed(
    {
      path: absolutePath,
      type: oneOf('', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'),
    },
    'path',
  ),
  csi: closed(
    {
      driver: { ...objectNameText, maxLength: 63 },
      fsType: text,
      nodePublishSecretRef: closed({ name: objectNameText }, 'name'),
      readOnly: flag,
      volumeAttributes: texts,
    },
    'driver',
  ),
  nfs: closed({ path: absolutePath, readOnly: flag, server: form('.+') }, 'path', 'server'),
  image: closed({ reference: form('\\S+'), pullPolicy: oneOf('Always', 'IfNotPresent', 'Never') }, 'reference'),
};

/** A volume has a name and one source: `emptyDir` if none is given. Other sources are used through a claim. */
export const volume: JsonSchema = {
  ...closed({ name: shortName, ...volumeSources }, 'name'),
  maxProperties: 2,
};

/** A volume mount. */
export const mount = {
  ...closed(
    {
      name: shortName,
      mountPath: form('[^:]+'),
      subPath: relativePath,
      subPathExpr: relativePath,
      readOnly: flag,
      mountPropagation: oneOf('HostToContainer', 'None'),
      recursiveReadOnly: oneOf('Disabled', 'Enabled', 'IfPossible'),
    },
    'name',
    'mountPath',
  ),
  not: { required: ['subPath', 'subPathExpr'] },
  ...implies({ required: ['recursiveReadOnly'] }, has('readOnly', true)),
};

const profile = {
  ...closed({ type: oneOf('RuntimeDefault', 'Unconfined', 'Localhost'), localhostProfile: relativePath }, 'type'),
  // One has its profile, and the others have none.
  oneOf: [has('type', 'Localhost'), { not: { required: ['localhostProfile'] } }],
};
const identifier = nullable({ type: 'integer', minimum: 0, maximum: 2_147_483_647 });
const common = {
  runAsUser: identifier,
  runAsGroup: identifier,
  runAsNonRoot: nullable(flag),
  seccompProfile: profile,
  appArmorProfile: profile,
  seLinuxOptions: closed({ level: text, role: text, type: text, user: text }),
};

/** The security context of a pod. */
export const podContext = closed({
  ...common,
  fsGroup: identifier,
  fsGroupChangePolicy: { enum: ['Always', 'OnRootMismatch', null] },
  supplementalGroups: listOf(count),
  supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
  seLinuxChangePolicy: oneOf('MountOption', 'Recursive'),
  sysctls: listOf(
    closed(
      { name: form('[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*', 253), value: text },
      'name',
      'value',
    ),
  ),
});

/** The security context of a container. */
export const context = closed({
  ...common,
  allowPrivilegeEscalation: nullable(flag),
  privileged: nullable(flag),
  readOnlyRootFilesystem: nullable(flag),
  capabilities: closed({ add: listOf(text), drop: listOf(text) }),
  procMount: oneOf('Default'),
});
