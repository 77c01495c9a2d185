// Refuses statements whose promise nothing waits for. Biome's rule of the same purpose infers types without the compiler
// and does not see those of libraries, such as the statements of the database; this check asks the compiler.
// `node scripts/checkPromises.mjs <folder>` checks another tree of the same structure.
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import {
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
  isVoidExpression,
} from "typescript-native/unstable/ast/is";
import { API } from "typescript-native/unstable/sync";

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const projects = ["core", "adapters", "web", "web/serviceWorker", "server", "cli", "extension", "test"];

/** Whether a failure of the promise is handled: `.catch(…)`, `.then(…, …)`, also before `.finally(…)`. */
const isHandled = (expression) => {
  if (!isCallExpression(expression) || !isPropertyAccessExpression(expression.expression)) return false;
  const { name, expression: before } = expression.expression;
  if (name.text === "catch") return expression.arguments.length > 0;
  if (name.text === "then") return expression.arguments.length > 1 || isHandled(before);
  return name.text === "finally" && isHandled(before);
};

/** What is assigned has a name by which it can be awaited. */
const isNamed = (expression) =>
  isBinaryExpression(expression) && /=$/.test(expression.operatorToken.getText());

const statementsOf = (file) => {
  const found = [];
  const visit = (node) => {
    if (isExpressionStatement(node)) {
      const { expression } = node;
      const isWaited = isAwaitExpression(expression) || isVoidExpression(expression);
      if (!isWaited && !isNamed(expression) && !isHandled(expression)) found.push(expression);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
};

const createIsPromise = (checker) => {
  const known = new Map();
  const isPromise = (type) => {
    if (type === undefined) return false;
    const before = known.get(type.id);
    if (before !== undefined) return before;
    const parts = type.isUnionType() ? type.getTypes() : [];
    const answer =
      parts.length > 0
        ? parts.some(isPromise)
        : // Replies of Fastify and `act` of React have `then` alone; that they are sent or over needs no waiting.
          type.isObjectType() && checker.getPropertyOfType(type, "catch") !== undefined;
    known.set(type.id, answer);
    return answer;
  };
  return isPromise;
};

const api = new API({ cwd: root });
const seen = new Set();
const refused = [];
for (const name of projects) {
  const config = join(root, name, "tsconfig.json");
  if (!existsSync(config)) continue;
  const snapshot = api.updateSnapshot({ openProjects: [config] });
  const { program, checker } = snapshot.getProject(config);
  const isPromise = createIsPromise(checker);
  for (const path of program.getSourceFileNames()) {
    if (seen.has(path) || !path.startsWith(`${root}/`) || /node_modules|\.d\.ts$/.test(path)) continue;
    seen.add(path);
    const file = program.getSourceFile(path);
    const statements = statementsOf(file);
    if (statements.length === 0) continue;
    checker.getTypeAtLocation(statements).forEach((type, index) => {
      if (!isPromise(type)) return;
      const { line } = file.getLineAndCharacterOfPosition(statements[index].getStart());
      refused.push(`${relative(root, path)}:${line + 1} ${statements[index].getText().split("\n")[0]}`);
    });
  }
}
api.close();

if (refused.length > 0) {
  process.stderr.write(
    `Nothing waits for the promise of these statements, and nothing handles its failure. Await it, or write "void" before it and say why it runs beside:\n${refused.join("\n")}\n`,
  );
  process.exitCode = 1;
}
