import type { Endpoint } from '../call.ts';
import { gsqlError, json } from '../replies.ts';

/** `GET /gsql/v1/udt/files/{file}`: the text of a file; a change of the schema comes with another version of one file. */
export const functionFile: Endpoint = ({ world, path }) => {
  const { file = '' } = path;
  if (!['ExprFunctions', 'ExprUtil'].includes(file)) return gsqlError(404, `The file '${file}' does not exist.`);
  const version = file === 'ExprFunctions' && world.isSchemaChanged ? 2 : 1;
  return json({ error: false, message: '', results: `// ${file}.hpp, version ${version}\n` });
};

/** `GET /gsql/v1/library/{functionName}`: all functions for the regular expression that matches any name. */
export const libraryFunctions: Endpoint = ({ query }) => {
  if (query.get('isRegularExpression') !== 'true') return gsqlError(400, 'The function does not exist.');
  const names = ['algo.pagerank', 'algo.wcc', 'util.vertex_count'];
  const results = names.map((name) => ({ name, query: `CREATE TEMPLATE QUERY ${name}() { }`, params: {} }));
  return json({ error: false, message: '', results });
};

/** `GET /gsql/v1/udt/tuples`: the user-defined tuples, which clients of the vendor list with this path. */
export const tuples: Endpoint = () => {
  const fields = [
    { fieldName: 'amount', length: 8, fieldType: 'DOUBLE' },
    { fieldName: 'at', length: 8, fieldType: 'DATETIME' },
  ];
  return json({ error: false, message: '', results: [{ name: 'Transfer', fields }] });
};
