import { isNode, type Node, type Rule, type Source, walk } from './project.ts';

/** Words that texts and names of the project do not use, each with what to write instead. */
const refused: readonly (readonly [words: string, use: string])[] = [
  ['nobody|somebody|whoever|whomever|everybody|whatsoever|anew|hence|thereof|whence', 'name the actor, in plain words'],
  ['tell|tells|telling|told|untold', 'notify, report, state or show'],
  ['courier|errand|departure|farewell|lane|lanes|owed|owes|owing', 'delivery worker, notification queue, pending'],
  ['(?<!(?:case|capital) )letters?(?!,| and| or)|news', 'notification, message body or character'],
  [
    'readings|(?:an?|the|each|every|this|that|last|latest|next|one|first|former|failed|good|no|same|its|whose) reading',
    'poll result, value or sample',
  ],
  ['hear|hears|heard|overhear|overheard', 'receive or record'],
  ['court|judges?|judged|judging|judg(?:e)?ments?|opinions?', 'evaluate, evaluation, evaluator'],
  ['held back|holds? back|holding back', 'inhibited, silenced or withheld'],
  ['explained by|explains away', 'inhibited by'],
  ['episodes?', 'incident'],
  ['comes? and goes?|comings and goings|came and went', 'flapping'],
  ['(?:is|are|was|were|be|all) well|well again|worth a look|in trouble', 'healthy, degraded, unhealthy, resolved'],
  ['sightings?|witness(?:es)?', 'observation'],
  ['patience|impatient', 'grace period or timeout'],
  ['doubts?|doubtful', 'skip reason, guard condition or uncertainty'],
  ['wish|wishes|wished|wishing', 'list request'],
  ['blind|blindness', 'not covered, no data'],
  ['tapes?', 'recording'],
  ['shelf|shelves|notebooks?|saplings?', 'snapshot, registry, index or cache'],
  ['turnstiles?', 'semaphore, rate limiter, concurrency limit'],
  ['desks?', 'handler, route dependencies'],
  ['eyes', 'poller, supervisor'],
  ['beats?', 'poll cycle or interval'],
  ["dead[- ]man's switch(?!`)", 'heartbeat, watchdog'],
  [
    'tak(?:e|es|en|ing) for none|took for none|le(?:ave|aves|ft|aving) out|lets? go|letting go',
    'drop, reject, skip or cap',
  ],
  ['had better|ought to', 'use the imperative'],
];

/** Parts of names that the project does not use. */
const refusedInNames = new Set(
  (
    'nobody somebody whoever everybody anew told tells courier errand farewell lane owed letter hear heard overheard court ' +
    'judge judges judged judgement judgment opinion sighting sightings witness patience doubt doubts wish wishes tape tapes ' +
    'shelf notebook sapling turnstile desk eyes beat beats blindness warden hearsay vouched reliefless luck fickle liar ' +
    'reborn befall naps twofold thrice tellings chancy doom fate illness crooked lingering attitudes astray hopeless ' +
    'happening happenings spell spells scenes stretches opinions zombie zombies'
  ).split(' '),
);

const pattern = new RegExp(`(?<![\\w-])(?:${refused.map(([words]) => `(${words})`).join('|')})(?![\\w-])`, 'gi');

/** The one place where a term is allowed because a text explains it. */
const synonymNote = /also known as a dead man's switch/gi;

/** Returns refused words of a text, each as `word (use …)`. Text in backticks is a name of a wire format or of code. */
export function refusedWords(text: string): readonly string[] {
  const prose = text.replaceAll(synonymNote, '').replaceAll(/`[^`]*`/g, '``');
  return [...prose.matchAll(pattern)].map(([word, ...groups]) => {
    const use = refused[groups.findIndex((group) => group !== undefined)]?.[1] ?? '';
    return `'${word}' (use: ${use})`;
  });
}

/** Refused parts of each identifier: most are used many times. */
const refusedPartsByName = new Map<string, readonly string[]>();

/** Returns refused parts of an identifier. */
function refusedNameParts(name: string): readonly string[] {
  const known = refusedPartsByName.get(name) ?? refusedPartsOf(name);
  refusedPartsByName.set(name, known);
  return known;
}

function refusedPartsOf(name: string): readonly string[] {
  const parts = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
  return parts.map((part) => part.toLowerCase()).filter((part) => refusedInNames.has(part));
}

/** The file that lists the words and its examples contain them. */
const lists = ['test/architecture/plain-words.ts', 'test/architecture/examples/plain-words.ts'];

/** Checks comments, names, and strings with a space. A string without a space is a name of a wire format. */
export const writePlainWords: Rule = {
  name: 'comments, texts and names use plain words',
  check: (project) => project.filter(({ path }) => !lists.includes(path)).flatMap(findings),
};

function findings(source: Source): readonly string[] {
  const at = (offset: number, found: readonly string[]): readonly string[] =>
    found.map((one) => `${source.path}:${source.lineAt(offset)} ${one}`);
  const inPath = refusedNameParts(source.path).map((part) => `${source.path} is named '${part}'`);
  const inComments = source.comments.flatMap(({ value, start }) => at(start, refusedWords(value)));
  const inCode = walk(source.program).flatMap((node) => at(node.start, wordsOf(node)));
  return [...inPath, ...inComments, ...new Set(inCode)];
}

function wordsOf(node: Node): readonly string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return proseWords(node.value);
  if (node.type === 'TemplateElement' && isRawText(node.value)) return proseWords(node.value.raw);
  if (node.type !== 'Identifier' && node.type !== 'PrivateIdentifier') return [];
  return refusedNameParts(String(node.name)).map((part) => `the name ${String(node.name)} has '${part}'`);
}

function proseWords(text: string): readonly string[] {
  return /\s/.test(text.trim()) ? refusedWords(text) : [];
}

function isRawText(value: unknown): value is { readonly raw: string } {
  return (
    typeof value === 'object' && value !== null && 'raw' in value && typeof value.raw === 'string' && !isNode(value)
  );
}
