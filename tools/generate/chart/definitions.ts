import {
  closed,
  flag,
  form,
  has,
  listOf,
  nodeTerm,
  oneOf,
  peer,
  podTerms,
  portNameText,
  portNumber,
  reference,
  selector,
  shortName,
  text,
} from './kubernetes-schemas.ts';
import { relabeling } from './monitor-schemas.ts';
import { context, lifecycle, mount, ownProbe, quantity, variable, variableSource, volume } from './pod-schemas.ts';
import { type JsonSchema, resourceName } from './value.ts';

const amounts = {
  type: 'object',
  patternProperties: { [`^${resourceName}$`]: quantity },
  additionalProperties: false,
};

/** A container. */
const container = {
  ...closed(
    {
      name: shortName,
      image: form('\\S+'),
      imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
      command: listOf(text),
      args: listOf(text),
      workingDir: text,
      env: listOf(reference('variable')),
      envFrom: listOf(reference('variableSource')),
      ports: listOf(
        closed(
          {
            containerPort: portNumber,
            hostIP: text,
            hostPort: portNumber,
            name: portNameText,
            protocol: oneOf('SCTP', 'TCP', 'UDP'),
          },
          'containerPort',
        ),
      ),
      resources: closed({ requests: amounts, limits: amounts }),
      resizePolicy: listOf(
        closed(
          { resourceName: oneOf('cpu', 'memory'), restartPolicy: oneOf('NotRequired', 'RestartContainer') },
          'resourceName',
          'restartPolicy',
        ),
      ),
      securityContext: context,
      volumeMounts: listOf(reference('mount')),
      livenessProbe: ownProbe(false),
      readinessProbe: ownProbe(true),
      startupProbe: ownProbe(false),
      lifecycle,
      restartPolicy: oneOf('Always', 'Never', 'OnFailure'),
      stdin: flag,
      stdinOnce: flag,
      tty: flag,
      terminationMessagePath: text,
      terminationMessagePolicy: oneOf('FallbackToLogsOnError', 'File'),
    },
    'name',
    'image',
  ),
};

/** An init container that ends has no probes and hooks. */
const initContainer = {
  allOf: [
    reference('container'),
    {
      anyOf: [
        has('restartPolicy', 'Always'),
        {
          not: {
            anyOf: ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'].map((name) => ({
              required: [name],
            })),
          },
        },
      ],
    },
  ],
};

/** Parts that several values have. */
export const definitions: Readonly<Record<string, JsonSchema>> = {
  container,
  initContainer,
  mount,
  nodeTerm,
  peer,
  podTerms,
  relabeling,
  selector,
  variable,
  variableSource,
  volume,
};
