import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  hostDetector,
  osDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { resourceAttributesFrom } from './otel-environment.ts';

/** Version of the semantic conventions that name the attributes. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.45.0';

/** Identifies this process in both signals. */
const instanceId = randomUUID();

/** Returns the resource of this process: its service, host and operating system, and what the environment adds. */
export async function processResource(version: string): Promise<Resource> {
  const service = { 'service.name': 'graphwarden', 'service.version': version, 'service.instance.id': instanceId };
  // The process detector of the library would add the command line.
  const resource = detectResources({ detectors: [hostDetector, osDetector] })
    .merge(sdkResource())
    .merge(resourceFromAttributes({ 'process.pid': process.pid, ...nodeRuntime }))
    .merge(resourceFromAttributes({ ...resourceAttributesFrom(service, process.env) }, { schemaUrl }));
  // While attributes are pending, the library delays spans, and loses them if it shuts down.
  await resource.waitForAsyncAttributes?.();
  return resource;
}

const nodeRuntime = { 'process.runtime.name': 'nodejs', 'process.runtime.version': process.versions.node };

/** Returns the resource of another service. The environment describes this process, so it does not apply. */
export function serviceResource(attributes: Readonly<Record<string, string>>): Resource {
  return sdkResource().merge(resourceFromAttributes({ ...attributes }, { schemaUrl }));
}

/** Attributes of the library, which every resource has, without its name for an unknown service. */
function sdkResource(): Resource {
  const { 'service.name': _, ...sdk } = defaultResource().attributes;
  return resourceFromAttributes(sdk);
}
