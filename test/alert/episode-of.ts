import type { Episode } from '../../src/alert/episode.ts';
import { placeOf } from '../../src/alert/identity.ts';

const at = { wall: Date.UTC(2026, 8, 22, 4, 53, 20), mono: 1000 };

/** An episode that fires, of this rule at this identity. */
export function episodeAt(
  rule: string,
  identity: Readonly<Record<string, string>>,
  more: Partial<Episode> = {},
): Episode {
  const place = placeOf('prod', rule, 'warning', identity);
  return {
    place,
    key: `hash of ${place}`,
    cluster: 'prod',
    rule,
    severity: 'warning',
    labels: { alertname: rule, severity: 'warning', cluster_name: 'prod', ...identity },
    identity,
    facts: {},
    receivers: [],
    annotations: { summary: 'a summary' },
    phase: 'firing',
    number: 7,
    startsAt: at.wall,
    hold: 0,
    seenAt: at,
    lastSo: at,
    told: {},
    ...more,
  };
}
