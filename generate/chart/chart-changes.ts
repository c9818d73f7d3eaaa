/** One entry of what artifacthub shows as the changes of a version. */
export interface ChartChange {
  readonly kind: 'added' | 'changed' | 'deprecated' | 'removed' | 'fixed' | 'security';
  readonly description: string;
}

const kinds: readonly ChartChange['kind'][] = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'];
/** The rest of a release is told by the list of changes that the chart links to. */
const ofTheChart = /\b(?:chart|Kubernetes|sidecars?|image)\b/;

/** What the list of changes says of the chart and of what it runs: of a version, or of what is to become it. */
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
  return items.map((item) => item.trim().replaceAll(/\s*\n\s*/g, ' ')).filter((item) => ofTheChart.test(item));
}
