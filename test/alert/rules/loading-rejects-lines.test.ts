import { describe, expect, it } from 'vitest';
import { loadingRejectsLines } from '../../../src/alert/rules/loading-rejects-lines.ts';
import { findings, firingIdentities, situationWith } from './rule-fixtures.ts';

function lines(counts: Readonly<Record<string, number>>, graph = 'fraud') {
  const rows = Object.entries(counts).map(
    ([result, count]) => [{ graph, loading_job: 'load_a', result }, count] as const,
  );
  return situationWith({ graphdb_loading_job_lines: rows });
}

describe('loading_rejects_lines', () => {
  it.each([
    ['all lines are valid', { valid: 1000 }, []],
    ['no line is read', { valid: 0, too_few_tokens: 0 }, []],
    ['5 % of the lines are rejected', { valid: 950, too_few_tokens: 50 }, []],
    ['more than 5 % of the lines are rejected', { valid: 949, too_few_tokens: 51 }, ['fraud load_a']],
    ['all reasons together exceed 5 %', { valid: 940, invalid_json: 30, rejected: 30 }, ['fraud load_a']],
    ['the job filters lines', { valid: 10, filtered: 990 }, []],
    ['filtered lines reduce the share', { valid: 0, filtered: 960, oversize_token: 40 }, []],
    ['there are 100 lines', { valid: 0, rejected: 100 }, ['fraud load_a']],
    ['there are fewer than 100 lines', { valid: 0, rejected: 99 }, []],
  ])('finds $2 if $0', (_, counts, firing) => {
    expect(firingIdentities(loadingRejectsLines, lines(counts))).toEqual(firing);
  });

  it('states the share, and follows the thresholds', () => {
    const [finding] = findings(loadingRejectsLines, lines({ valid: 80, invalid_json: 20 }));
    expect(finding?.facts).toEqual({ rejected: '20 %' });
    expect(firingIdentities(loadingRejectsLines, lines({ valid: 80, rejected: 20 }), { share: 0.2 })).toEqual([]);
    expect(firingIdentities(loadingRejectsLines, lines({ rejected: 100 }), { min_lines: 101 })).toEqual([]);
    expect(firingIdentities(loadingRejectsLines, lines({ valid: 0 }), { min_lines: 0 })).toEqual([]);
  });

  it('reports each job separately, with any name', () => {
    const names = ['"a"\n', '<b>', ''];
    const rows = names.map((name) => [{ graph: name, loading_job: name, result: 'rejected' }, 500] as const);
    const situation = situationWith({ graphdb_loading_job_lines: rows });
    expect(findings(loadingRejectsLines, situation).map(({ labels }) => labels.loading_job)).toEqual(names);
  });
});
