import { isNode, type Node } from '../test/architecture/project.ts';
import type { Change, Operator, TextOf } from './change.ts';
import { leftOut } from './left-out.ts';

/**
 * What a binary or logical operator is mistaken for. Strings stay as they are: nearly all of them are members of closed
 * unions, so another one would not compile.
 */
const others: Readonly<Record<string, readonly [Operator, ...string[]]>> = {
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

/** Methods that are easily taken for one another; those that are left out altogether give their receiver. */
const methods: Readonly<Record<string, readonly string[]>> = {
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
const dispensable = new Set(['filter', 'toSorted', 'toReversed', 'slice', 'flat']);

/** Every slip at one node; those of the nodes below are their own. */
export function changesAt(node: Node, textOf: TextOf): readonly Change[] {
  return [
    ...operatorChanges(node, textOf),
    ...conditionChanges(node),
    ...valueChanges(node, textOf),
    ...methodChanges(node, textOf),
    ...leftOut(node, textOf),
  ];
}

function operatorChanges(node: Node, textOf: TextOf): readonly Change[] {
  const { left, right } = node;
  if (!isNode(left) || !isNode(right)) return [];
  const written = String(node.operator);
  const [operator, ...instead] = others[written] ?? [];
  if (operator === undefined) return [];
  // Beside another operator the new one may not stand without brackets.
  const shape = operator === 'logic' ? bracketed : (text: string) => text;
  return instead.map((by) => ({
    operator,
    start: node.start,
    end: node.end,
    by: shape(`${sideOf(left, operator, textOf)} ${by} ${sideOf(right, operator, textOf)}`),
  }));
}

function sideOf(node: Node, operator: Operator, textOf: TextOf): string {
  return operator === 'logic' && node.type === 'LogicalExpression' ? bracketed(textOf(node)) : textOf(node);
}

function bracketed(text: string): string {
  return `(${text})`;
}

const asking = ['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement', 'ForStatement'];

function conditionChanges(node: Node): readonly Change[] {
  const { test } = node;
  if (!asking.includes(node.type) || !isNode(test)) return [];
  // A loop without an end says nothing about the tests.
  const instead = node.type === 'IfStatement' || node.type === 'ConditionalExpression' ? ['true', 'false'] : ['false'];
  return instead.map((by) => ({ operator: 'condition', start: test.start, end: test.end, by }));
}

function valueChanges(node: Node, textOf: TextOf): readonly Change[] {
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
  return emptinessOf(node).map((by) => ({ operator: 'emptiness', start, end, by }));
}

function emptinessOf(node: Node): readonly string[] {
  const { expressions, elements, properties } = node;
  if (node.type === 'TemplateLiteral' && Array.isArray(expressions) && expressions.length > 0) return ['``'];
  if (node.type === 'ArrayExpression' && Array.isArray(elements) && elements.length > 0) return ['[]'];
  if (node.type === 'ObjectExpression' && Array.isArray(properties) && properties.length > 0) return ['{}'];
  if (node.type === 'ReturnStatement' && isNode(node.argument) && node.argument.name !== 'undefined')
    return ['return undefined;'];
  return [];
}

function methodChanges(node: Node, textOf: TextOf): readonly Change[] {
  const { callee } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return [];
  const { property, object } = callee;
  if (!isNode(property) || !isNode(object)) return [];
  const name = String(property.name);
  const renamed = Object.hasOwn(methods, name) ? (methods[name] ?? []) : [];
  const swaps = renamed.map((by) => ({ operator: 'method', start: property.start, end: property.end, by }) as const);
  const receiver = { operator: 'method', start: node.start, end: node.end, by: textOf(object) } as const;
  return dispensable.has(name) ? [...swaps, receiver] : swaps;
}
