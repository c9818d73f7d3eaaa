import type { RowDefinition } from '../definition.ts';
import { facts } from '../series.ts';
import { wellAt1 } from '../states.ts';

/** Whether it keeps what it has to keep, and goes by the configuration that was meant. */
export const ownUpkeep: RowDefinition = {
  title: 'State and configuration',
  panels: [
    {
      look: 'state-timeline',
      title: 'State',
      description:
        'Whether what happens is written to disk; while it is kept in memory alone, the guard aborts nothing.',
      unit: 'none',
      width: 8,
      height: 6,
      queries: [{ expr: facts('graphwarden_state_durable'), legend: '{{instance}}' }],
      states: wellAt1('in memory alone', 'on disk'),
      rules: ['state_not_durable'],
    },
    {
      look: 'state-timeline',
      title: 'Configuration',
      description:
        'Whether the last attempt to load the configuration succeeded; if not, the one before it is in force.',
      unit: 'none',
      width: 8,
      height: 6,
      queries: [{ expr: facts('graphwarden_config_last_reload_successful'), legend: '{{instance}}' }],
      states: wellAt1('refused', 'loaded'),
    },
    {
      look: 'timeseries',
      title: 'Age of the configuration',
      description: 'Time since a configuration was last loaded successfully.',
      unit: 's',
      width: 8,
      height: 6,
      queries: [
        {
          expr: `time() - ${facts('graphwarden_config_last_reload_success_timestamp_seconds')}`,
          legend: '{{instance}}',
        },
      ],
      scale: { min: 0 },
    },
    {
      look: 'table',
      title: 'Versions',
      description: 'Which build runs where.',
      unit: 'short',
      width: 24,
      height: 5,
      queries: [{ expr: facts('graphwarden_build_info'), legend: 'Running' }],
    },
  ],
};
