import { formatElapsed } from '../../kernel/duration.ts';
import { formatMinute } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';

/** A token is about to expire. graphwarden renews tokens earlier, so the renewal must have failed. */
export const tokenExpiring: ClusterRule = {
  name: 'token_expiring',
  about: 'The token in use for a node is about to expire, and was not renewed.',
  scope: 'cluster',
  severity: 'warning',
  for: 120_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'within',
      about: 'Time until the token expires, below which the alert fires.',
      unit: 'seconds',
      value: 600,
    },
  ],
  labels: ['node'],
  needs: [],
  families: [],
  summary: 'The access token for {{node}} of {{cluster_name}} expires {{when}}',
  description:
    'The access token for {{node}} expires {{when}} ({{left}}) and was not renewed. Check that the secret is valid and that the server issues tokens: graphwarden doctor.',
  resolved: 'The access token for {{node}} is renewed.',
  twin: 'graphwarden_token_expiration_timestamp_seconds - time() < {{within}}',
  twinTexts: {
    summary: 'The token for {{node}} of {{cluster_name}} is about to expire',
    description:
      'The token for requests to {{node}} expires in {{left}} and was not renewed. Check that the secret is valid and that the server issues tokens: graphwarden doctor.',
  },
  dashboard: 'graphwarden',
  knows: ({ tokens, nodes }, { node = '' }) => tokens.some((token) => token.node === node) || !nodes.includes(node),
  *evaluate({ tokens }, { within = 0 }, now) {
    for (const { node, expiresAt } of tokens) {
      const left = expiresAt - now.wall;
      if (left >= within * 1000) continue;
      const facts = {
        when: formatMinute(expiresAt),
        left: left > 0 ? `in ${formatElapsed(left)}` : 'in the past',
      };
      yield { labels: { node }, facts };
    }
  },
};
