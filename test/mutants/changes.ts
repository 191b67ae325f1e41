import { parseSync } from 'vite';

/** What a careless commit might put in the place of a part of a file. */
export type Change = { file: string; start: number; end: number; becomes: string };

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const otherOperator: Record<string, string> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&&': '||', '||': '&&', '??': '&&' },
};
const otherMethod = new Map(Object.entries({ some: 'every', every: 'some', max: 'min', min: 'max' }));
/** Calls of these methods are left out, and their object stays. */
const leftOut = ['filter', 'slice', 'sort', 'toSorted', 'toReversed', 'trim', 'toLowerCase', 'flat'];
/** Expressions of DynamoDB, which are texts. */
const inExpressions: readonly (readonly [RegExp, string])[] = [
  [/attribute_not_exists\(/, 'attribute_exists('],
  [/attribute_exists\(/, 'attribute_not_exists('],
  [/ AND (?!.* AND )[^'`]+/, ''],
  [/(?<=#?\w+) < (?=:)/, ' <= '],
  [/(?<=#?\w+) > (?=:)/, ' >= '],
  [/(?<=#?\w+) = (?=:)/, ' <> '],
];

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

/** Returns all changes of a file that are tried: of rules, limits, conditions and effects, not of types and texts. */
export function changesOf(file: string, code: string): Change[] {
  const changes: Change[] = [];
  const text = ({ start, end }: Node) => code.slice(start, end);
  const replace = ({ start, end }: { start: number; end: number }, becomes: string) =>
    changes.push({ file, start, end, becomes });
  // Comparisons and `!` are changed by themselves.
  const negate = (node: Node) =>
    /^(Binary|Logical|Unary)/.test(node.type) || replace(node, `!(${text(node)})`);

  const visitors: Record<string, (node: Node, parent: Node) => unknown> = {
    BinaryExpression: (node) => {
      const [left, right] = [node['left'], node['right']] as [Node, Node];
      const becomes = otherOperator[String(node['operator'])];
      const isOfTexts = [left, right].some((side) => /^['`]/.test(text(side)));
      if (becomes && !(isOfTexts && node['operator'] === '+'))
        replace(node, `${text(left)} ${becomes} ${text(right)}`);
    },
    LogicalExpression: (node) => {
      const [left, right] = [node['left'], node['right']] as [Node, Node];
      replace(node, `((${text(left)}) ${otherOperator[String(node['operator'])]} (${text(right)}))`);
    },
    UnaryExpression: (node) => node['operator'] === '!' && replace(node, text(node['argument'] as Node)),
    IfStatement: (node) => negate(node['test'] as Node),
    ConditionalExpression: (node) => negate(node['test'] as Node),
    Literal: (node) => {
      const { value } = node;
      if (typeof value === 'boolean') replace(node, String(!value));
      if (typeof value === 'number') replace(node, String(value < 10 ? value + 1 : Math.floor(value / 2)));
      if (typeof value === 'string') visitors['TemplateElement']?.(node, node);
    },
    TemplateElement: (node) => {
      for (const [was, becomes] of inExpressions)
        if (was.test(text(node))) replace(node, text(node).replace(was, becomes));
    },
    ExpressionStatement: (node) => {
      const expression = node['expression'] as Node;
      if (expression.type === 'AwaitExpression')
        replace(node, `void ${text(expression['argument'] as Node)};`);
      replace(node, ';');
    },
    ThrowStatement: (node) => replace(node, ';'),
    ReturnStatement: (node, parent) => parent.type === 'IfStatement' && replace(node, ';'),
    ObjectExpression: (node) => {
      const members = node['properties'] as Node[];
      for (const [n, member] of members.entries())
        if (!text(member).includes('\n'))
          replace({ start: member.start, end: members[n + 1]?.start ?? node.end - 1 }, '');
    },
    CallExpression: (node) => {
      const callee = node['callee'] as Node;
      if (callee.type !== 'MemberExpression') return;
      const [object, method] = [callee['object'], callee['property']] as [Node, Node];
      const other = otherMethod.get(text(method));
      if (other) replace(method, other);
      if (leftOut.includes(text(method))) replace(node, text(object));
    },
  };
  const visit = (node: Node, parent: Node): void => {
    if (node.type === 'ImportDeclaration' || /^TS(?!AsExpression|NonNull|Satisfies)/.test(node.type)) return;
    visitors[node.type]?.(node, parent);
    for (const child of childrenOf(node)) visit(child, node);
  };
  const { program } = parseSync(file, code);
  visit(program as unknown as Node, program as unknown as Node);
  return changes;
}
