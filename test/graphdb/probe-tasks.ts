import type { ProbeTask } from '../../src/model/probe.ts';

/** Returns probe tasks of each kind, with a word in each place that takes one. */
export function tasksWith(word: string): readonly ProbeTask[] {
  const parameters = { [word]: word, list: [{ id: word, type: word }], map: { map: { [word]: word } } };
  const query = { query: word, parameters, limits: {} };
  const [source, other] = [
    { type: word, id: word },
    { type: 'T', id: word },
  ];
  const search = {
    sources: [source],
    targets: [source],
    vertexFilters: [{ type: word, condition: word }],
    edgeFilters: [],
  };
  return [
    { kind: 'installed_query', method: 'get', ...query },
    { kind: 'installed_query', method: 'post', ...query },
    { kind: 'interpreted_query', statement: word, parameters, limits: {} },
    { kind: 'template_query', template: word, parameters },
    { kind: 'vertex', vertex: source, select: [word] },
    { kind: 'vertex', vertex: other, select: [] },
    { kind: 'edges', selection: { source }, select: [word] },
    { kind: 'edges', selection: { source: other }, select: [] },
    { kind: 'edges', selection: { source: other, edgeType: word }, select: [] },
    { kind: 'edges', selection: { source: other, edgeType: 'e', targetType: word }, select: [] },
    { kind: 'edges', selection: { source: other, edgeType: 'e', targetType: 'T', targetId: word }, select: [] },
    { kind: 'shortest_path', search },
    { kind: 'all_paths', search },
    { kind: 'write_heartbeat' },
  ];
}
