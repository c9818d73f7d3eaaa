import { execFileSync } from 'node:child_process';

/** Runs a tool of the system and gives what it printed. */
export function output(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The system calls that the `SystemCallFilter` lines of a unit leave, as the installed systemd knows their groups. */
export function allowedCalls(unit: string, systemd: string): ReadonlySet<string> {
  const allowed = new Set<string>();
  for (const [, refused, groups = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const call of groups.split(' ').flatMap((group) => callsOf(group, systemd))) {
      if (refused === '~') allowed.delete(call);
      else allowed.add(call);
    }
  }
  return allowed;
}

function callsOf(group: string, systemd: string): readonly string[] {
  if (!group.startsWith('@')) return [group];
  const listed = output(systemd, 'syscall-filter', group).matchAll(/^ {4}(?!#)(\S+)/gm);
  return [...listed].flatMap(([, name = '']) => callsOf(name, systemd));
}
