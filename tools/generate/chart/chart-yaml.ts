import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { generatedNotice } from '../generated-file.ts';

/** One change of a version, as Artifact Hub shows it. */
export interface ChartChange {
  readonly kind: 'added' | 'changed' | 'deprecated' | 'removed' | 'fixed' | 'security';
  readonly description: string;
}

const kinds: readonly ChartChange['kind'][] = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'];
/** Changes that concern the chart. The chart links the changelog for all others. */
const chartChangePrefix = /\b(?:chart|Kubernetes|sidecars?|image)\b/;

/** Returns the changes of the chart in a version, or in the unreleased section of the changelog. */
export function chartChanges(changelog: string, version: string): readonly ChartChange[] {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.split(/\s/, 1)[0] === version) ?? sections[0] ?? '';
  return own
    .split(/^### /m)
    .slice(1)
    .flatMap((part) => {
      const kind = kinds.find((one) => part.toLowerCase().startsWith(one));
      return kind === undefined ? [] : itemsOf(part).map((description) => ({ kind, description }));
    });
}

function itemsOf(part: string): readonly string[] {
  const items = part.split(/^- /m).slice(1);
  return items.map((item) => item.trim().replaceAll(/\s*\n\s*/g, ' ')).filter((item) => chartChangePrefix.test(item));
}

const home = 'https://github.com/graphwarden/graphwarden';
const raw = 'https://raw.githubusercontent.com/graphwarden/graphwarden/main';
const checkout = join(import.meta.dirname, '..', '..', '..');
const manifest = z.object({ version: z.string(), description: z.string(), license: z.string() });

/** Returns Chart.yaml. The chart has the version of the program: both are released together. */
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
  return `# ${generatedNotice}\n${stringify(chart, { lineWidth: 0 })}`;
}

/** Annotations that Artifact Hub shows besides the README. */
function annotations(version: string, license: string): Readonly<Record<string, string>> {
  const links = [
    { name: 'Installation', url: `${home}/blob/main/docs/install/kubernetes.md` },
    { name: 'Configuration', url: `${home}/blob/main/docs/configuration.md` },
    { name: 'Runbook', url: `${home}/blob/main/docs/runbook.md` },
    { name: 'Changes', url: `${home}/blob/main/CHANGELOG.md` },
  ];
  const images = [{ name: 'graphwarden', image: `ghcr.io/graphwarden/graphwarden:${version}` }];
  const screenshots = [{ title: 'Status of each cluster', url: `${raw}/docs/images/status-page.png` }];
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
