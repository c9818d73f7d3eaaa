import { expect, it } from 'vitest';
import { serviceFlapping } from '../../../src/alert/rules/service-flapping.ts';
import { places, replica, situationWith, verdicts } from './judging.ts';

it('names what comes and goes, and nothing else', () => {
  const replicas = [replica({ flapping: true, hard: 'Down' }), replica({ replica: '3' })];
  expect(places(serviceFlapping, situationWith({}, { replicas }))).toEqual(['GPE 1 2']);
  expect(verdicts(serviceFlapping, situationWith({}, { replicas }))[0]?.facts).toEqual({
    instance: 'GPE_1#2',
    status: 'Down',
  });
});
