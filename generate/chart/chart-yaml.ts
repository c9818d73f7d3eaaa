import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { origin } from '../document.ts';
import { chartChanges } from './chart-changes.ts';

const home = 'https://github.com/graphwarden/graphwarden';
const raw = 'https://raw.githubusercontent.com/graphwarden/graphwarden/main';
const checkout = join(import.meta.dirname, '..', '..');
const manifest = z.object({ version: z.string(), description: z.string(), license: z.string() });

/** The chart's own description. Its version is the program's: both are released together. */
export function chartYaml(): string {
  const file = readFileSync(join(checkout, 'package.json'), 'utf8');
  const { version, description, license } = manifest.parse(JSON.parse(file));
  const chart = {
    apiVersion: 'v2',
    name: 'graphwarden',
    description,
    type: 'application',
    version,
    appVersion: version,
    kubeVersion: '>=1.25.0-0',
    home,
    sources: [home],
    icon: `${raw}/docs/images/icon.svg`,
    keywords: ['prometheus', 'exporter', 'graph', 'database', 'monitoring', 'alerting'],
    maintainers: [{ name: 'graphwarden', url: home }],
    annotations: annotations(version, license),
  };
  return `# ${origin}\n${stringify(chart, { lineWidth: 0 })}`;
}

/** What artifacthub shows beside the README. */
function annotations(version: string, license: string): Readonly<Record<string, string>> {
  const links = [
    { name: 'Installation', url: `${home}/blob/main/docs/install/kubernetes.md` },
    { name: 'Configuration', url: `${home}/blob/main/docs/configuration.md` },
    { name: 'Runbook', url: `${home}/blob/main/docs/runbook.md` },
    { name: 'Changes', url: `${home}/blob/main/CHANGELOG.md` },
  ];
  const images = [{ name: 'graphwarden', image: `ghcr.io/graphwarden/graphwarden:${version}` }];
  const screenshots = [{ title: 'How each cluster is doing', url: `${raw}/docs/images/landing-page.png` }];
  const changes = chartChanges(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'), version);
  return {
    'artifacthub.io/category': 'monitoring-logging',
    'artifacthub.io/license': license,
    'artifacthub.io/prerelease': String(version.startsWith('0.') || version.includes('-')),
    'artifacthub.io/changes': stringify(changes, { lineWidth: 0 }),
    'artifacthub.io/links': stringify(links, { lineWidth: 0 }),
    'artifacthub.io/images': stringify(images, { lineWidth: 0 }),
    'artifacthub.io/screenshots': stringify(screenshots, { lineWidth: 0 }),
  };
}
