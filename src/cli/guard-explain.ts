import { type Command, exitCode, WrongUse } from './command.ts';

/** Shows what a configuration would do to queries, before it does. */
export const guardExplain: Command = {
  name: 'guard explain',
  about: 'say in plain sentences what each policy of the guard can abort, and when',
  flags: [{ name: 'config', value: 'FILE', about: 'the configuration; GRAPHWARDEN_CONFIG says the same' }],
  details:
    'No daemon is needed, and no server is asked. A configuration with problems is not explained: they are told.',
  run: async ({ flags }, ports) => {
    const file = flags.config ?? ports.environment.GRAPHWARDEN_CONFIG ?? '';
    if (file === '') throw new WrongUse('--config FILE is missing');
    const [{ readConfigOrSay }, { explainGuard }] = await Promise.all([
      import('./read-config.ts'),
      import('../guard/explain.ts'),
    ]);
    const config = await readConfigOrSay(file, ports);
    if (!config.ok) {
      ports.stderr.write(config.error);
      return exitCode.usage;
    }
    const { guard, clusters, scope } = config.value;
    const paragraphs = explainGuard(guard, { clusters: clusters.map(({ name }) => name), isOneNode: scope === 'node' });
    ports.stdout.write(`${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`);
    return exitCode.ok;
  },
};
