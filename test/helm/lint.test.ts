import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { casesOfRun } from '../support/campaign.ts';
import { chart, helm, valueFile, valueFiles } from './chart.ts';

/** One file of each kind: nothing set, a Deployment with most settings, sidecars, and objects of the user. */
const representatives = ['defaults', 'enforce', 'sidecar', 'extras'];

describe.skipIf(helm === undefined)('helm lint --strict', () => {
  it.each(casesOfRun(valueFiles, (file) => representatives.includes(file)))(
    'has no findings with the values «%s»',
    (file) => {
      const args = ['lint', '--strict', chart, '--values', valueFile(file)];
      const { status, stdout, stderr } = spawnSync(helm ?? '', args, { encoding: 'utf8' });
      const output = `${stdout}${stderr}`;
      expect(output).toContain('0 chart(s) failed');
      expect(output).not.toMatch(/\[(?:WARNING|ERROR|INFO)\]/);
      expect(status).toBe(0);
    },
  );
});
