import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { processResource, schemaUrl, serviceResource } from '../../../src/runtime/telemetry/resources.ts';

const kept = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
});

describe('processResource', () => {
  it('names the service, the host and the runtime, without the command line', async () => {
    const { attributes, schemaUrl: schema, asyncAttributesPending } = await processResource('1.2.3');
    expect(attributes).toMatchObject({
      'service.name': 'graphwarden',
      'service.version': '1.2.3',
      'host.name': hostname(),
      'os.type': 'linux',
      'process.pid': process.pid,
      'process.runtime.name': 'nodejs',
    });
    expect(Object.keys(attributes).filter((name) => name.startsWith('process.command'))).toEqual([]);
    expect([schema, asyncAttributesPending]).toEqual([schemaUrl, false]);
  });

  it('is the same instance in each signal', async () => {
    const [one, other] = [await processResource('1'), await processResource('1')];
    expect(one.attributes['service.instance.id']).toBe(other.attributes['service.instance.id']);
  });

  it('prefers attributes of the environment to its own', async () => {
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'k8s.pod.name=warden-0,host.name=a';
    const { attributes } = await processResource('1');
    expect(attributes).toMatchObject({ 'k8s.pod.name': 'warden-0', 'host.name': 'a' });
  });
});

describe('serviceResource', () => {
  it('has its own attributes and those of the library, independent of the environment', () => {
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'k8s.pod.name=warden-0';
    const { attributes, schemaUrl: schema } = serviceResource({ 'service.name': 'graphdb' });
    expect(attributes).toMatchObject({ 'service.name': 'graphdb', 'telemetry.sdk.language': 'nodejs' });
    expect(Object.keys(attributes).filter((name) => !/^(?:service|telemetry)\./.test(name))).toEqual([]);
    expect(schema).toBe(schemaUrl);
  });
});
