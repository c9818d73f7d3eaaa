import { z } from 'zod';

const probe = z.object({
  httpGet: z
    .object({
      path: z.string().default('/'),
      port: z.union([z.string(), z.number()]),
      scheme: z.string().default('HTTP'),
    })
    .optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
  periodSeconds: z.number().default(10),
  timeoutSeconds: z.number().default(1),
  failureThreshold: z.number().default(3),
});

/** Request of a probe. */
export type Probe = z.infer<typeof probe>;

const securityContext = z.object({
  runAsUser: z.number().optional(),
  runAsGroup: z.number().optional(),
  fsGroup: z.number().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
});

const container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  restartPolicy: z.string().optional(),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .object({
            fieldRef: z.object({ fieldPath: z.string() }).optional(),
            secretKeyRef: z.object({ name: z.string(), key: z.string() }).optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  ports: z.array(z.object({ name: z.string().optional(), containerPort: z.number() })).default([]),
  volumeMounts: z
    .array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().default(false) }))
    .default([]),
  securityContext: securityContext.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  startupProbe: probe.optional(),
});

/** Container with the fields that the kubelet of the tests supports. */
export type Container = z.infer<typeof container>;

const source = {
  optional: z.boolean().default(false),
  defaultMode: z.number().default(0o644),
  items: z.array(z.object({ key: z.string(), path: z.string() })).optional(),
  name: z.string().optional(),
  secretName: z.string().optional(),
};

const volume = z.object({
  name: z.string(),
  configMap: z.object(source).optional(),
  secret: z.object(source).optional(),
  persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
});

/** Volume of a pod; a kind that is not listed becomes an empty folder. */
export type Volume = z.infer<typeof volume>;

/** Pod spec with the fields that the kubelet of the tests supports. */
export const podSpec = z.object({
  nodeName: z.string(),
  hostname: z.string().optional(),
  restartPolicy: z.string().default('Always'),
  terminationGracePeriodSeconds: z.number().default(30),
  securityContext: securityContext.optional(),
  initContainers: z.array(container).default([]),
  containers: z.array(container),
  volumes: z.array(volume).default([]),
});

/** The spec of a pod. */
export type PodSpec = z.infer<typeof podSpec>;
