import { below, type Rule } from './project.ts';

const call = 'src/graphdb/abort-call.ts';
const callers: readonly string[] = ['src/graphdb/connect.ts'];
/** Who may spell the path: the guard builds it, the call checks it, and simulated servers answer to it. */
const spellers: readonly string[] = [call, 'src/guard/decision/abort-path.ts'];
const path = 'abortquery';

/** The one call that can do harm is made in one place, and its path is written in two. */
export const abortFromOnePlace: Rule = {
  name: 'the abort call is made by the connection of a node alone, and its path is spelled nowhere else',
  check: (project) => [
    ...project
      .filter((source) => !source.path.startsWith('test/') && !callers.includes(source.path))
      .flatMap((source) =>
        source.imports
          .filter(({ target }) => target === call)
          .map(({ line }) => `${source.path}:${line} imports the abort call`),
      ),
    ...below(project, 'src')
      .filter((source) => !spellers.includes(source.path) && !source.path.startsWith('src/simulator/'))
      .filter(({ text }) => text.includes(path))
      .map((source) => `${source.path}:${source.lineAt(source.text.indexOf(path))} spells the path of an abort`),
  ],
};
