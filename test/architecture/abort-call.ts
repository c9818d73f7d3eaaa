import { below, type Rule } from './project.ts';

const call = 'src/graphdb/abort-call.ts';
const callers: readonly string[] = ['src/graphdb/connect.ts'];
const path = 'abortquery';

/** Only the connection of a node sends abort requests; only the call itself, and the simulator, name the path. */
export const abortFromOnePlace: Rule = {
  name: 'only the connection of a node imports the abort call, and only the call contains its path',
  check: (project) => [
    ...project
      .filter((source) => !source.path.startsWith('test/') && !callers.includes(source.path))
      .flatMap((source) =>
        source.imports
          .filter(({ target }) => target === call)
          .map(({ line }) => `${source.path}:${line} imports the abort call`),
      ),
    ...below(project, 'src')
      .filter((source) => source.path !== call && !source.path.startsWith('src/simulator/'))
      .filter(({ text }) => text.includes(path))
      .map(
        (source) => `${source.path}:${source.lineAt(source.text.indexOf(path))} contains the path of the abort request`,
      ),
  ],
};
