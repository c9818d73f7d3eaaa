import { describe, expect, it } from 'vitest';
import { resourceAttributesFrom } from '../../../src/runtime/telemetry/otel-environment.ts';

const own = { 'service.name': 'graphwarden', 'service.version': '1' };

describe('resourceAttributesFrom', () => {
  it('are the default attributes without environment variables', () => {
    expect(resourceAttributesFrom(own, {})).toEqual(own);
    expect(resourceAttributesFrom(own, { OTEL_SERVICE_NAME: ' ', OTEL_RESOURCE_ATTRIBUTES: '' })).toEqual(own);
  });

  it('include the attributes of the environment, with the service name first', () => {
    const said = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a, team = db%2C1 ,service.version=2,' };
    expect(resourceAttributesFrom(own, said)).toEqual({ 'service.name': 'a', 'service.version': '2', team: 'db,1' });
    expect(resourceAttributesFrom(own, { ...said, OTEL_SERVICE_NAME: 'b' })['service.name']).toBe('b');
  });

  it.each(['team=db,nonsense', 'team=%zz', '=x', ' =x'])('ignores all of %j', (text) => {
    expect(resourceAttributesFrom(own, { OTEL_RESOURCE_ATTRIBUTES: text })).toEqual(own);
  });
});
