import { isNode, type Node } from '../test/architecture/project.ts';
import type { Change, TextOf } from './change.ts';

const lists = ['ArrayExpression', 'ObjectExpression'];
const blocks = ['Program', 'BlockStatement', 'StaticBlock'];
const statements = ['ExpressionStatement', 'ContinueStatement', 'BreakStatement', 'ForOfStatement', 'ForStatement'];

/** What is forgotten: a statement, an element of several, a field of an object, one side of a logical operator. */
export function leftOut(node: Node, textOf: TextOf): readonly Change[] {
  return [...statementsOf(node), ...elementsOf(node), ...sidesOf(node, textOf)];
}

function statementsOf(node: Node): readonly Change[] {
  if (!blocks.includes(node.type)) return bodyOf(node);
  return nodesIn(node.body)
    .filter(({ type }) => statements.includes(type))
    .map(({ start, end }) => ({ operator: 'left out', start, end, by: ';' }));
}

/** `for (…) one;` and `if (…) one;` */
function bodyOf(node: Node): readonly Change[] {
  return [node.body, node.consequent, node.alternate]
    .filter(isNode)
    .filter(({ type }) => statements.includes(type))
    .map(({ start, end }) => ({ operator: 'left out', start, end, by: ';' }));
}

function elementsOf(node: Node): readonly Change[] {
  if (!lists.includes(node.type)) return [];
  const items = nodesIn(node.elements ?? node.properties);
  // Of a single one the list becomes empty, which is a change of its own.
  if (items.length < 2) return [];
  return items.map((item, index) => {
    const after = items[index + 1];
    const before = items[index - 1];
    const start = after === undefined ? (before?.end ?? item.start) : item.start;
    return { operator: 'left out', start, end: after?.start ?? item.end, by: '' };
  });
}

function sidesOf(node: Node, textOf: TextOf): readonly Change[] {
  const { left, right, start, end } = node;
  if (node.type !== 'LogicalExpression' || !isNode(left) || !isNode(right)) return [];
  return [left, right].map((kept) => {
    const text = textOf(kept);
    // Of two in brackets one remains, and may stand beside another operator then.
    return { operator: 'left out', start, end, by: kept.type === 'LogicalExpression' ? `(${text})` : text };
  });
}

function nodesIn(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
