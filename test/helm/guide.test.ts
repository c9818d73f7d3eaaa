import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { guideBlocks } from '../support/guide.ts';
import { configFiles, helm, renderAll, rendering } from './chart.ts';

const guide = readFileSync('docs/install/kubernetes.md', 'utf8');
const examples = guideBlocks('docs/install/kubernetes.md', 'Kubernetes', 'yaml');

beforeAll(() => renderAll(examples.map((text) => parse(text))));

describe('the guide', () => {
  it('links to existing files and chapters', () => {
    const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const files = links.filter((link) => !link.startsWith('#')).map((link) => link.replace(/#.*$/, ''));
    expect(files.length).toBeGreaterThan(2);
    // What is published has the folder docs, and not the chart.
    expect(files.filter((file) => join('docs/install', file).startsWith('docs/'))).toEqual(files);
    expect(files.filter((file) => !existsSync(join('docs/install', file)))).toEqual([]);
    const chapters = [...guide.matchAll(/^## (.+)$/gm)].map(([, title = '']) => anchor(title));
    const inner = new Set(links.filter((link) => link.startsWith('#')));
    expect([...inner].toSorted()).toEqual(chapters.toSorted());
  });

  it.skipIf(helm === undefined).each(examples)('shows values that the chart accepts: $0', (text) => {
    const made = rendering({ values: parse(text) });
    const files = configFiles(made);
    expect(files.length > 0).toBe(!text.includes('existingConfigMap'));
    for (const file of files) {
      expect(loadConfig(file, 'graphwarden.yml', { POD_NAME: 'prod-0', POD_IP: '10.0.0.1' })).toMatchObject({
        ok: true,
      });
    }
  });
});

it.skipIf(helm === undefined)('the command in the README of the chart installs a daemon', () => {
  const [install = 'false'] = guideBlocks('helm/graphwarden/README.md', 'graphwarden');
  // Without a cluster, its manifests are rendered.
  const command = install.replace('helm install', '"$HELM" template --api-versions monitoring.coreos.com/v1');
  const env = { ...process.env, HELM: helm };
  const made = execFileSync('bash', ['-euc', command], { env, encoding: 'utf8' });
  expect(parseAllDocuments(made).map((one) => one.toJS()?.kind)).toEqual(
    expect.arrayContaining(['Deployment', 'PodMonitor']),
  );
});

function anchor(title: string): string {
  return `#${title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`;
}
