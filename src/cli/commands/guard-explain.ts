import { explainGuard } from '../../guard/explain.ts';
import { type Command, exitCode } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';

/** Describes the queries that the guard policies of a configuration abort. */
export const guardExplain: Command = {
  flags: [configFlag],
  details: 'Needs no daemon and sends no request. Prints the problems of an invalid configuration instead.',
  examples: ['guard explain --config graphwarden.yml'],
  run: (given, ports) =>
    withConfig(given, ports, async ({ guard, clusters, scope }) => {
      const paragraphs = explainGuard(guard, {
        clusters: clusters.map(({ name }) => name),
        isOneNode: scope === 'node',
      });
      ports.stdout.write(`${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`);
      return exitCode.ok;
    }),
};
