import { expect, it } from 'vitest';
import { statusSourcesDisagree } from '../../../src/alert/rules/status-sources-disagree.ts';
import { replica, situationWith, verdicts } from './judging.ts';

it('names what two sources tell differently', () => {
  const replicas = [replica({ disputed: true }), replica({ replica: '3' })];
  expect(verdicts(statusSourcesDisagree, situationWith({}, { replicas }))).toEqual([
    {
      labels: { service_name: 'GPE', partition: '1', replica: '2' },
      facts: { instance: 'GPE_1#2', status: 'Online' },
    },
  ]);
});
