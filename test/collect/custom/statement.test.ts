import { expect, it } from 'vitest';
import { statementProblem } from '../../../src/collect/custom/statement.ts';

function problemOf(body: string): string | undefined {
  return statementProblem(`interpret query(INT k = 3) for graph fraud { ${body} PRINT 1; }`, 'fraud');
}

it.each([
  'SumAccum<INT> @@n; s = SELECT v FROM Account:v WHERE v.age == 4 AND v.age >= k ACCUM @@n += 1;',
  's = SELECT v FROM Account:v ACCUM v.@n = 4, v.@@m += 2;',
  '@@m.clear(); v.run = 1 == 1;'.replace('v.run = 1 == 1;', 'PRINT v.run, v.update_time;'),
  '// DELETE s\n /* INSERT INTO x */ # DROP\n PRINT "UPDATE \\" CREATE";',
  'deleted = 1; running = 2; files = 3;',
])('a statement that only reads has no problem: %s', (body) => {
  expect(problemOf(body)).toBeUndefined();
});

it.each([
  ['INSERT INTO Account VALUES ("a");', 'contains INSERT'],
  ['s = {ANY};\ndelete s;', 'contains DELETE'],
  ['update s SET s.x = 1;', 'contains UPDATE'],
  ['PRINT s TO_CSV "/tmp/x";', 'contains TO_CSV'],
  ['RUN QUERY other();', 'contains RUN'],
  ['POST-ACCUM v.age = 4;', 'assigns an attribute'],
  ['POST-ACCUM v . age += 4;', 'assigns an attribute'],
  ['POST-ACCUM v.setAttr("age", 4);', 'assigns an attribute'],
  ['"text" DROP QUERY x', 'contains DROP'],
])('a statement that changes data or schema is rejected: %s', (body, problem) => {
  expect(problemOf(body)).toBe(`${problem}; only queries that read are allowed`);
});

it.each([
  ['', 'must begin with INTERPRET QUERY (; install any other query, and name it in query'],
  ['INTERPRET QUERY () FOR GRAPH fraud { }', 'prints nothing; add a PRINT statement'],
  ['INTERPRET QUERY () { PRINT 1; }', 'must name its graph: FOR GRAPH, then the name in the key graph'],
  [
    'INTERPRET QUERY () FOR GRAPH risk { PRINT 1; }',
    'names another graph than the key graph; use one of them for both',
  ],
])('a statement of another form is rejected: %s', (statement, problem) => {
  expect(statementProblem(statement, 'fraud')).toBe(problem);
});
