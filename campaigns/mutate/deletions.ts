import { isNode, type Node } from '../../test/architecture/project.ts';
import type { Mutation, TextOf } from './mutation.ts';

const lists = ['ArrayExpression', 'ObjectExpression'];
const blocks = ['Program', 'BlockStatement', 'StaticBlock'];
const statements = ['ExpressionStatement', 'ContinueStatement', 'BreakStatement', 'ForOfStatement', 'ForStatement'];

/** Returns deletions: a statement, an element of a list, a field of an object, one side of a logical operator. */
export function deletionsAt(node: Node, textOf: TextOf): readonly Mutation[] {
  return [...statementsOf(node), ...elementsOf(node), ...sidesOf(node, textOf)];
}

function statementsOf(node: Node): readonly Mutation[] {
  if (!blocks.includes(node.type)) return bodyOf(node);
  return nodesIn(node.body)
    .filter(({ type }) => statements.includes(type))
    .map(({ start, end }) => ({ operator: 'deletion', start, end, by: ';' }));
}

/** `for (…) one;` and `if (…) one;` */
function bodyOf(node: Node): readonly Mutation[] {
  return [node.body, node.consequent, node.alternate]
    .filter(isNode)
    .filter(({ type }) => statements.includes(type))
    .map(({ start, end }) => ({ operator: 'deletion', start, end, by: ';' }));
}

function elementsOf(node: Node): readonly Mutation[] {
  if (!lists.includes(node.type)) return [];
  const items = nodesIn(node.elements ?? node.properties);
  // The deletion of the only element is an «emptiness» mutation.
  if (items.length < 2) return [];
  return items.map((item, index) => {
    const after = items[index + 1];
    const before = items[index - 1];
    const start = after === undefined ? (before?.end ?? item.start) : item.start;
    return { operator: 'deletion', start, end: after?.start ?? item.end, by: '' };
  });
}

function sidesOf(node: Node, textOf: TextOf): readonly Mutation[] {
  const { left, right, start, end } = node;
  if (node.type !== 'LogicalExpression' || !isNode(left) || !isNode(right)) return [];
  return [left, right].map((kept) => {
    const text = textOf(kept);
    // The remaining side may need parentheses next to another operator.
    return { operator: 'deletion', start, end, by: kept.type === 'LogicalExpression' ? `(${text})` : text };
  });
}

function nodesIn(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
