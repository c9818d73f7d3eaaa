import { isNode, type Node } from '../../test/architecture/project.ts';
import { deletionsAt } from './deletions.ts';
import type { Mutation, MutationOperator, TextOf } from './mutation.ts';

/**
 * Replacements of binary and logical operators. Strings are not mutated: nearly all of them are members of closed unions,
 * so another string does not compile.
 */
const replacementOperators: Readonly<Record<string, readonly [MutationOperator, ...string[]]>> = {
  '<': ['comparison', '<=', '>='],
  '<=': ['comparison', '<', '>'],
  '>': ['comparison', '>=', '<='],
  '>=': ['comparison', '>', '<'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '??': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
  '&&=': ['logic', '||='],
  '||=': ['logic', '&&='],
};

/** Replacements of methods. */
const replacementMethods: Readonly<Record<string, readonly string[]>> = {
  some: ['every'],
  every: ['some'],
  find: ['findLast'],
  findLast: ['find'],
  min: ['max'],
  max: ['min'],
  floor: ['ceil'],
  ceil: ['floor'],
  startsWith: ['endsWith'],
  endsWith: ['startsWith'],
};
const removableMethods = new Set(['filter', 'toSorted', 'toReversed', 'slice', 'flat']);

/** Returns the mutations of one node, without those of its descendants. */
export function mutationsAt(node: Node, textOf: TextOf): readonly Mutation[] {
  return [
    ...operatorChanges(node, textOf),
    ...conditionChanges(node),
    ...valueChanges(node, textOf),
    ...methodChanges(node, textOf),
    ...deletionsAt(node, textOf),
  ];
}

function operatorChanges(node: Node, textOf: TextOf): readonly Mutation[] {
  const { left, right } = node;
  if (!isNode(left) || !isNode(right)) return [];
  const written = String(node.operator);
  const [operator, ...instead] = replacementOperators[written] ?? [];
  if (operator === undefined) return [];
  // The new operator may need parentheses next to another operator.
  const shape = operator === 'logic' ? parenthesized : (text: string) => text;
  return instead.map((by) => ({
    operator,
    start: node.start,
    end: node.end,
    by: shape(`${operandOf(left, operator, textOf)} ${by} ${operandOf(right, operator, textOf)}`),
  }));
}

function operandOf(node: Node, operator: MutationOperator, textOf: TextOf): string {
  return operator === 'logic' && node.type === 'LogicalExpression' ? parenthesized(textOf(node)) : textOf(node);
}

function parenthesized(text: string): string {
  return `(${text})`;
}

const conditionTypes = ['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement', 'ForStatement'];

function conditionChanges(node: Node): readonly Mutation[] {
  const { test } = node;
  if (!conditionTypes.includes(node.type) || !isNode(test)) return [];
  // An endless loop does not show whether the tests detect the mutation.
  const instead = node.type === 'IfStatement' || node.type === 'ConditionalExpression' ? ['true', 'false'] : ['false'];
  return instead.map((by) => ({ operator: 'condition', start: test.start, end: test.end, by }));
}

function valueChanges(node: Node, textOf: TextOf): readonly Mutation[] {
  const { start, end, argument } = node;
  if (node.type === 'Literal' && typeof node.value === 'boolean')
    return [{ operator: 'literal', start, end, by: `${!node.value}` }];
  if (node.type === 'UnaryExpression' && isNode(argument) && (node.operator === '!' || node.operator === '-'))
    return [{ operator: 'negation', start, end, by: textOf(argument) }];
  if (node.type === 'UpdateExpression')
    return [
      { operator: 'arithmetic', start, end, by: textOf(node).replace(/\+\+|--/, (by) => (by === '++' ? '--' : '++')) },
    ];
  if (node.type === 'ArrowFunctionExpression' && isNode(node.body) && node.body.type !== 'BlockStatement')
    return [{ operator: 'emptiness', start: node.body.start, end: node.body.end, by: 'undefined' }];
  return emptyValueMutations(node).map((by) => ({ operator: 'emptiness', start, end, by }));
}

function emptyValueMutations(node: Node): readonly string[] {
  const { expressions, elements, properties } = node;
  if (node.type === 'TemplateLiteral' && Array.isArray(expressions) && expressions.length > 0) return ['``'];
  if (node.type === 'ArrayExpression' && Array.isArray(elements) && elements.length > 0) return ['[]'];
  if (node.type === 'ObjectExpression' && Array.isArray(properties) && properties.length > 0) return ['{}'];
  if (node.type === 'ReturnStatement' && isNode(node.argument) && node.argument.name !== 'undefined')
    return ['return undefined;'];
  return [];
}

function methodChanges(node: Node, textOf: TextOf): readonly Mutation[] {
  const { callee } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return [];
  const { property, object } = callee;
  if (!isNode(property) || !isNode(object)) return [];
  const name = String(property.name);
  const renamed = Object.hasOwn(replacementMethods, name) ? (replacementMethods[name] ?? []) : [];
  const swaps = renamed.map((by) => ({ operator: 'method', start: property.start, end: property.end, by }) as const);
  const receiver = { operator: 'method', start: node.start, end: node.end, by: textOf(object) } as const;
  return removableMethods.has(name) ? [...swaps, receiver] : swaps;
}
