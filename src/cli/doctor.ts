import { type Command, exitCode, WrongUse } from './command.ts';
import { isBroken, summary, table } from './doctor-table.ts';

/** Asks the configured servers for everything that will be asked of them. */
export const doctor: Command = {
  name: 'doctor',
  about: 'try every call of the enabled collectors on every node',
  flags: [
    { name: 'config', value: 'FILE', about: 'the configuration; GRAPHWARDEN_CONFIG says the same' },
    { name: 'json', about: 'print the findings as JSON' },
  ],
  details:
    'Exit code 1 when an enabled collector does not work. Run it where the daemon will run. What is heavy (a consistency\n' +
    'check that is switched on) is really run, on the first node alone and within its own time-out.',
  run: async ({ flags }, ports) => {
    const file = flags.config ?? ports.environment.GRAPHWARDEN_CONFIG ?? '';
    if (file === '') throw new WrongUse('--config FILE is missing');
    const { readConfigOrSay } = await import('./read-config.ts');
    const config = await readConfigOrSay(file, ports);
    if (!config.ok) {
      ports.stderr.write(config.error);
      return exitCode.usage;
    }
    const [world, { examine }] = await Promise.all([ports.world(), import('./examine.ts')]);
    const findings = await examine(config.value, ports, world);
    const json = `${JSON.stringify(findings, undefined, 2)}\n`;
    ports.stdout.write('json' in flags ? json : `${table(findings)}\n${summary(findings)}`);
    return findings.some(isBroken) || findings.length === 0 ? exitCode.failed : exitCode.ok;
  },
};
