import { expect, it } from 'vitest';
import { statusSourcesDisagree } from '../../../src/alert/rules/status-sources-disagree.ts';
import { findings, replica, situationWith } from './rule-fixtures.ts';

it('status_sources_disagree › fires for instances whose sources report different statuses', () => {
  const replicas = [replica({ disputed: true }), replica({ replica: '3' })];
  expect(findings(statusSourcesDisagree, situationWith({}, { replicas }))).toEqual([
    {
      labels: { service_name: 'GPE', partition: '1', replica: '2' },
      facts: { instance: 'GPE_1#2', status: 'Online' },
    },
  ]);
});
