import { expect, it } from 'vitest';
import { instanceName } from '../../src/model/instance-name.ts';

it.each([
  [{ service: 'GPE', partition: '1', replica: '2' }, 'GPE_1#2'],
  [{ service: 'EXE', partition: '1', replica: '' }, 'EXE_1'],
  [{ service: 'GPE', partition: '1', replica: null }, 'GPE_1'],
  [{ service: 'GSQL', partition: '', replica: '3' }, 'GSQL#3'],
])('instance name › names %j as the tools of the server do: %s', (instance, name) => {
  expect(instanceName(instance)).toBe(name);
});
