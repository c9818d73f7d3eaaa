/** Words of GSQL that begin a change of data, of the schema, of files or of other queries. */
const changingWords =
  'insert|update|delete|upsert|merge|create|alter|drop|clear|install|run|load|grant|revoke|export|import|file|to_csv';

/** Matches such a word unless it is the name of a member or of an accumulator. */
const changingWord = new RegExp(`(?<![.@\\w])(?:${changingWords})(?!\\w)`, 'i');

/** Matches an assignment to an attribute of a vertex or an edge. Accumulators have an @ after the dot. */
const attributeAssignment = /[A-Za-z_]\w*\s*\.\s*[A-Za-z_]\w*\s*\+?=(?!=)|\.\s*setAttr\s*\(/i;

/** Maximum length of a statement in characters. */
const maxLength = 16_384;

/**
 * Returns why a statement is not a read-only interpreted query, as a clause; undefined if no problem is found. String literals
 * and comments are ignored. This is not a proof: functions and subqueries that the statement calls are not checked.
 */
export function statementProblem(statement: string, graph: string): string | undefined {
  if (statement.length > maxLength) return `must have at most ${maxLength} characters; install the query instead`;
  const code = withoutTexts(statement);
  if (/^\s*INTERPRET\s+OPENCYPHER\b/i.test(code)) return 'is openCypher; write it in GSQL: INTERPRET QUERY';
  if (!/^\s*INTERPRET\s+QUERY\s*\(/i.test(code))
    return 'must begin with INTERPRET QUERY (; install any other query, and name it in query';
  const named = /\bFOR\s+GRAPH\s+([\w-]+)/i.exec(code)?.[1];
  if (named === undefined) return 'must name its graph: FOR GRAPH, then the name in the key graph';
  if (named !== graph) return 'names another graph than the key graph; use one of them for both';
  if (!/\bPRINT\b/i.test(code)) return 'prints nothing; add a PRINT statement';
  const word = changingWord.exec(code)?.[0].toUpperCase();
  if (word !== undefined) return `contains ${word}; only queries that read are allowed`;
  return attributeAssignment.test(code) ? 'assigns an attribute; only queries that read are allowed' : undefined;
}

/** Removes string literals and comments, whose words are not part of the code. */
function withoutTexts(statement: string): string {
  return statement.replace(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*|#.*/g, (found) =>
    found.startsWith('"') ? '""' : ' ',
  );
}
