import type { ClusterRule } from '../rule.ts';
import { lengthOf, moment } from './words.ts';

/** Tokens are renewed in time; one that is about to end was not. */
export const tokenExpiring: ClusterRule = {
  name: 'token_expiring',
  about: 'The token in use for a node is about to expire, and was not renewed.',
  scope: 'cluster',
  severity: 'warning',
  hold: 120_000,
  keepFiring: 60_000,
  thresholds: [{ name: 'within', about: 'Time before it expires.', unit: 'seconds', value: 600 }],
  labels: ['node'],
  needs: [],
  families: [],
  summary: 'The token for {{node}} of {{cluster_name}} expires {{when}}',
  description:
    'The token with which {{node}} is asked expires {{when}} ({{left}}) and was not renewed. Look whether the secret is still valid and whether the server gives tokens: graphwarden doctor.',
  twin: 'graphwarden_token_expiration_timestamp_seconds - time() < {{within}}',
  knows: ({ tokens, nodes }, { node = '' }) => tokens.some((token) => token.node === node) || !nodes.includes(node),
  *judge({ tokens }, { within = 0 }, now) {
    for (const { node, expiresAt } of tokens) {
      const left = expiresAt - now.wall;
      if (left >= within * 1000) continue;
      const facts = { when: moment(expiresAt), left: left > 0 ? `in ${lengthOf(left)}` : 'which is over' };
      yield { labels: { node }, facts };
    }
  },
};
