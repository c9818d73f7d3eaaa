import type { RowDefinition } from '../definition.ts';
import { facts, increase } from '../series.ts';
import { wellAt0, wellAt1 } from '../states.ts';

const node = '{{cluster_name}} {{node}}';

/** Whether the guard can act, and if not, why. */
export const guardState: RowDefinition = {
  title: 'Guard: can it act?',
  panels: [
    {
      look: 'state-timeline',
      title: 'Paused',
      description:
        'Whether the guard of a daemon holds still, for whatever reason; it guards all clusters of that daemon.',
      unit: 'none',
      width: 8,
      height: 6,
      queries: [{ expr: facts('graphwarden_guard_paused'), legend: '{{instance}}' }],
      states: wellAt0('watches', 'paused'),
      rules: ['guard_paused'],
    },
    {
      look: 'state-timeline',
      title: 'Why it is paused',
      description:
        'Each reason for which the guard of a daemon may hold still: by hand (operator, signal, file), an id in an answer that nobody asked for, or a state that was lost. It goes on when none is left.',
      unit: 'none',
      width: 16,
      height: 6,
      queries: [{ expr: facts('graphwarden_guard_paused_by'), legend: '{{instance}} {{reason}}' }],
      states: wellAt0('no', 'paused'),
      rules: ['guard_paused'],
    },
    {
      look: 'state-timeline',
      title: 'Blind',
      description: 'Nodes of which three lists in a row said nothing: nothing is aborted there.',
      unit: 'none',
      width: 12,
      height: 6,
      queries: [{ expr: facts('graphwarden_guard_blind'), legend: node }],
      states: wellAt0('sees', 'blind'),
      rules: ['guard_blind'],
    },
    {
      look: 'state-timeline',
      title: 'Covered',
      description:
        'Whether the lists of a node surely come from its own instance, and the latest is good and not too old.',
      unit: 'none',
      width: 12,
      height: 6,
      queries: [{ expr: facts('graphwarden_guard_node_covered'), legend: node }],
      states: wellAt1('not covered', 'covered'),
    },
    {
      look: 'state-timeline',
      title: 'Modes of policies',
      description: 'The mode that each policy is in effectively: the safer of its own and that of the guard.',
      unit: 'none',
      width: 12,
      height: 6,
      queries: [{ expr: facts('graphwarden_guard_mode', 'mode="enforce"'), legend: '{{cluster_name}} {{policy}}' }],
      states: [
        { value: 0, text: 'observes', color: 'blue' },
        { value: 1, text: 'enforces', color: 'orange' },
      ],
      emptyWhenHealthy: 'there is no policy',
    },
    {
      look: 'timeseries',
      title: 'Open breakers',
      description:
        'Breakers that are open until an operator resets them: of policies that bring no relief, and of queries that come back.',
      unit: 'short',
      width: 12,
      height: 6,
      queries: [
        {
          expr: facts('graphwarden_guard_breaker_open'),
          legend: '{{cluster_name}} {{policy}} {{reason}} {{graph}} {{query}}',
        },
      ],
      scale: { min: 0 },
      rules: ['guard_breaker_open'],
    },
    {
      look: 'timeseries',
      title: 'Room in budgets',
      description: 'Aborts that there is room for: in the whole cluster, and on the node that has the least.',
      unit: 'short',
      width: 8,
      queries: [{ expr: facts('graphwarden_guard_budget_remaining'), legend: '{{cluster_name}} {{budget}}' }],
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Left out',
      description: 'How often the guard left out an entry, the list of a node or all that it knew, by reason.',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: `sum by (cluster_name, node, scope, reason) (${increase('graphwarden_guard_void_total')}) > 0`,
          legend: `${node} {{scope}} {{reason}}`,
        },
      ],
      emptyWhenHealthy: 'every list is good',
      scale: { min: 0 },
      rules: ['guard_blind'],
    },
    {
      look: 'timeseries',
      title: 'Duration of lists',
      description: 'How long the latest list of each node took, good or not.',
      unit: 's',
      width: 8,
      queries: [{ expr: facts('graphwarden_guard_list_duration_seconds'), legend: node }],
      scale: { min: 0 },
    },
  ],
};
