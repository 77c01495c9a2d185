// Small faults of any kind: a comparison by one off or turned round, a branch or a call left out, two answers swapped.
import ts from "typescript";

const { SyntaxKind: kinds } = ts;

const operators = new Map([
  [kinds.LessThanToken, "<="],
  [kinds.LessThanEqualsToken, "<"],
  [kinds.GreaterThanToken, ">="],
  [kinds.GreaterThanEqualsToken, ">"],
  [kinds.EqualsEqualsEqualsToken, "!=="],
  [kinds.ExclamationEqualsEqualsToken, "==="],
  [kinds.AmpersandAmpersandToken, "||"],
  [kinds.BarBarToken, "&&"],
  [kinds.MinusToken, "+"],
  [kinds.AsteriskToken, "/"],
]);

const isCall = (node) => ts.isCallExpression(node) && node.expression.kind !== kinds.SuperKeyword;

/** What may stand in place of a node or a part of it, by the kind of node. */
const changesOf = {
  [kinds.BinaryExpression]: ({ operatorToken, left }) => {
    const replacement = operators.get(operatorToken.kind);
    if (replacement) return [{ at: operatorToken, replacement }];
    const isDefault = operatorToken.kind === kinds.QuestionQuestionToken;
    return isDefault ? [{ at: left.parent, replacement: left.getText() }] : [];
  },
  [kinds.ConditionalExpression]: (node) => [
    {
      at: node,
      replacement: `${node.condition.getText()} ? ${node.whenFalse.getText()} : ${node.whenTrue.getText()}`,
    },
  ],
  [kinds.PrefixUnaryExpression]: (node) =>
    node.operator === kinds.ExclamationToken ? [{ at: node, replacement: node.operand.getText() }] : [],
  [kinds.ExpressionStatement]: ({ expression }) => {
    if (isCall(expression)) return [{ at: expression, replacement: "undefined" }];
    if (!ts.isAwaitExpression(expression)) return [];
    return [`void ${expression.expression.getText()}`, "undefined"].map((replacement) => ({
      at: expression,
      replacement,
    }));
  },
  [kinds.IfStatement]: ({ expression }) => [{ at: expression, replacement: "false" }],
  [kinds.TrueKeyword]: (node) => [{ at: node, replacement: "false" }],
  [kinds.FalseKeyword]: (node) => [{ at: node, replacement: "true" }],
  [kinds.NumericLiteral]: (node) =>
    /^[\d_]+$/.test(node.getText()) ? [{ at: node, replacement: `(${node.getText()} + 1)` }] : [],
};

const find = (source, file) => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    for (const { at, replacement } of changesOf[node.kind]?.(node) ?? [])
      found.push({ start: at.getStart(tree), end: at.getEnd(), replacement });
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
};

export const small = {
  files: "{core,adapters,web,server,cli}/**/*.{ts,tsx}",
  isLeftOut: (file) =>
    /\/(?:node_modules|dist|migrations)\/|\.d\.ts$|\/seed\.ts$|(?:^|\/)(?:bin|main|worker)\.tsx?$/.test(file),
  find,
  tests: [],
  /** Changes that are equal in effect: the file, what stands directly before, and why. */
  equal: [
    {
      file: "server/relay/trackers/unseen.ts",
      at: '(pixelsOf[match[2] ?? ""] ?? ',
      why: "the pattern lets the unit be nothing or a percent sign, and both are known",
    },
    {
      file: "server/relay/trackers/trackingLinks.ts",
      at: 'parameter.split("=", ',
      why: "of the parts, the first alone is taken",
    },
  ],
};
