import type { Flag, NamedCommand } from './command.ts';

/** Shells for which there is a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of {@link shells}. */
export type Shell = (typeof shells)[number];

/** Script that completes commands, options and values. It is static: completing does not start the program. */
export function completionScript(shell: Shell, commands: readonly NamedCommand[]): string {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](commands);
}

/** Words that may follow the words of a command line, by the words before: '' has the first words of all commands. */
function nextWords(commands: readonly NamedCommand[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, readonly string[]>();
  const add = (before: string, word: string): void => {
    next.set(before, [...new Set([...(next.get(before) ?? []), word])]);
  };
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    add('', first);
    if (second !== undefined) add(first, second);
  }
  return next;
}

type ValueKind = 'file' | 'directory' | 'other';

/** Kind of a value or an argument by its placeholder. */
function valueKind(placeholder: string): ValueKind {
  if (/FILE|RECORDING/.test(placeholder)) return 'file';
  return /DIR/.test(placeholder) ? 'directory' : 'other';
}

/** Alternatives that an argument such as `<bash|zsh>` lists. */
function alternatives(argument: string): readonly string[] {
  return argument.includes('|') ? argument.replaceAll(/[<>[\].]/g, '').split('|') : [];
}

/** Values of an option or argument: a list, or files or directories of the current folder. */
interface Candidates {
  readonly words: readonly string[];
  readonly kind: ValueKind;
}

function argumentCandidates({ arguments: names = [] }: NamedCommand): Candidates {
  return {
    words: names.flatMap(alternatives),
    kind: names.map(valueKind).find((kind) => kind !== 'other') ?? 'other',
  };
}

function flagCandidates({ value = '', values = [] }: Flag): Candidates {
  return { words: values, kind: valueKind(value) };
}

function bashReply({ words, kind }: Candidates): string {
  if (words.length > 0) return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`;
  if (kind === 'other') return 'COMPREPLY=()';
  return `COMPREPLY=($(compgen -${kind === 'file' ? 'f' : 'd'} -- "$cur")); compopt -o filenames 2>/dev/null`;
}

function bashScript(commands: readonly NamedCommand[]): string {
  const options = commands.map((command) => {
    const values = command.flags.filter(({ value }) => value !== undefined);
    return [
      `    '${command.name}')`,
      `      case $prev in`,
      ...values.map((flag) => `        --${flag.name}) ${bashReply(flagCandidates(flag))}; return ;;`),
      '      esac',
      `      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '${optionNames(command).join(' ')}' -- "$cur")); return; fi`,
      `      ${bashReply(argumentCandidates(command))}; return ;;`,
    ].join('\n');
  });
  const words = [...nextWords(commands)].map(
    ([before, next]) => `    '${before}') COMPREPLY=($(compgen -W '${next.join(' ')}' -- "$cur")) ;;`,
  );
  return `# bash completion for graphwarden
_graphwarden() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} first='' second=''
  # bash splits --option=value at the sign.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  ((COMP_CWORD > 1)) && first=\${COMP_WORDS[1]}
  ((COMP_CWORD > 2)) && second=\${COMP_WORDS[2]}
  [[ $first == help ]] && first=$second second=''
  [[ \${COMP_WORDS[1]} == -* ]] && first=run
  case $first in
    ${groupNames(commands).join('|')}) [[ -n $second ]] && first="$first $second" ;;
  esac
  case $first in
${options.join('\n')}
  esac
  case $first in
${words.join('\n')}
  esac
}
complete -F _graphwarden graphwarden
`;
}

function groupNames(commands: readonly NamedCommand[]): readonly string[] {
  return [...nextWords(commands).keys()].filter((name) => name !== '');
}

function optionNames({ flags }: NamedCommand): readonly string[] {
  return [...flags.map(({ name }) => `--${name}`), '--help'];
}

function zshScript(commands: readonly NamedCommand[]): string {
  const cases = commands.map((command) => {
    const specs = [...command.flags.map(zshOption), `'--help[print help]'`, zshArguments(command)];
    return [`    '${command.name}')`, `      _arguments ${specs.join(' ')} ;;`].join('\n');
  });
  const words = [...nextWords(commands)].map(([before, next]) => {
    const described = next.map((word) => zshQuote(`${word}:${aboutOf(`${before} ${word}`.trim(), commands)}`));
    return `    '${before}') local -a words=(${described.join(' ')}); _describe command words ;;`;
  });
  return `#compdef graphwarden
_graphwarden() {
  local name='' depth=0
  if [[ $words[2] == -* ]]; then
    name=run
  else
    if [[ CURRENT -gt 2 && $words[2] == help ]]; then shift words; (( CURRENT-- )); fi
    if (( CURRENT > 2 )); then name=$words[2] depth=1; fi
    case $name in
      ${groupNames(commands).join('|')}) if (( CURRENT > 3 )); then name="$name $words[3]" depth=2; fi ;;
    esac
  fi
  if (( depth > 0 )); then shift $depth words; (( CURRENT -= depth )); fi
  case $name in
${cases.join('\n')}
${words.join('\n')}
  esac
}
if [[ $funcstack[1] == _graphwarden ]]; then _graphwarden "$@"; else compdef _graphwarden graphwarden; fi
`;
}

function zshOption({ name, value, about, ...flag }: Flag): string {
  const text = about.replaceAll(/[[\]:]/g, (sign) => `\\${sign}`);
  if (value === undefined) return zshQuote(`--${name}[${text}]`);
  return zshQuote(`--${name}=[${text}]:${value}:${zshAction(flagCandidates({ name, value, about, ...flag }))}`);
}

function zshArguments(command: NamedCommand): string {
  return zshQuote(`*:argument:${zshAction(argumentCandidates(command))}`);
}

function zshAction({ words, kind }: Candidates): string {
  if (words.length > 0) return `(${words.join(' ')})`;
  return { file: '_files', directory: '_files -/', other: ' ' }[kind];
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function aboutOf(name: string, commands: readonly NamedCommand[]): string {
  const about = commands.find((command) => command.name === name)?.about ?? `commands of the group ${name}`;
  return about.replaceAll(':', '\\:');
}

function fishScript(commands: readonly NamedCommand[]): string {
  const words = [...nextWords(commands)].flatMap(([before, next]) =>
    next.map((word) => {
      const about = fishQuote(aboutOf(`${before} ${word}`.trim(), commands));
      return `complete -c graphwarden -n '__graphwarden_calls "${before}"' -a ${word} -d ${about}`;
    }),
  );
  const [first] = commands;
  const options = commands.flatMap((command) => {
    // Without a command, the options of the default command are offered.
    const called = `${command === first ? '"" ' : ''}"${command.name}"`;
    const complete = `complete -c graphwarden -n '__graphwarden_calls ${called}'`;
    return [
      ...command.flags.map((flag) => `${complete} ${fishOption(flag)}`),
      `${complete} -l help -d 'print help'`,
      `complete -c graphwarden -n '__graphwarden_calls "${command.name}"' ${fishValues(argumentCandidates(command))}`,
    ];
  });
  return `# fish completion for graphwarden
function __graphwarden_calls -d 'Whether the line calls one of the commands'
    set -l before (commandline -opc)[2..]
    if test "$before[1]" = help
        set -e before[1]
    end
    set -l called "$before[1]"
    if contains -- "$called" ${groupNames(commands).join(' ')}
        set called (string join ' ' $before[1..2])
    else if string match -q -- '-*' "$called"
        set called ${first?.name ?? ''}
    end
    contains -- "$called" $argv
end
complete -c graphwarden -f
${[...words, ...options, ''].join('\n')}`;
}

function fishOption(flag: Flag): string {
  const values = flag.value === undefined ? '' : ` -r ${fishValues(flagCandidates(flag))}`;
  return `-l ${flag.name} -d ${fishQuote(flag.about)}${values}`;
}

function fishValues({ words, kind }: Candidates): string {
  if (words.length > 0) return `-f -a '${words.join(' ')}'`;
  return { file: '-F', directory: `-f -a '(__fish_complete_directories)'`, other: '-f' }[kind];
}

function fishQuote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (sign) => `\\${sign}`)}'`;
}
