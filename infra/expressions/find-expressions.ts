import { type ESTree, parseSync, Visitor } from "vite";

/** A regular expression as the source code has it. */
export interface Expression {
  readonly file: string;
  readonly line: number;
  /** Null where the program builds it at run time, so that its text is not known. */
  readonly pattern: string | null;
  readonly flags: string;
}

/** Methods of a text that make an expression of a text they are given. */
const MAKE_EXPRESSIONS = new Set(["match", "matchAll", "search"]);

type Constants = ReadonlyMap<string, ESTree.Expression>;

/**
 * Every regular expression of a TypeScript file: literals, `RegExp(…)` and texts given to `match`, `matchAll` and
 * `search`. Constants of the same file are put in their places. Throws an error that names a file that is no TypeScript.
 */
export function findExpressions(file: string, source: string): Expression[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const constants = constantsOf(program);
  const found: Expression[] = [];
  const add = (start: number, pattern: string | null, flags: string) =>
    found.push({ file, line: source.slice(0, start).split("\n").length, pattern, flags });

  new Visitor({
    Literal(node) {
      if ("regex" in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: addConstructed,
    CallExpression(node) {
      addConstructed(node);
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const given = node.arguments[0];
      if (!MAKE_EXPRESSIONS.has(callee.property.name) || given?.type !== "Literal") return;
      if (typeof given.value === "string") add(node.start, given.value, "");
    },
  }).visit(program);
  return found;

  function addConstructed(node: ESTree.NewExpression | ESTree.CallExpression) {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
    const [pattern, flags] = node.arguments.map((given) => textOf(given, constants));
    add(node.start, pattern ?? null, flags ?? "");
  }
}

function constantsOf(program: ESTree.Program): Constants {
  const constants = new Map<string, ESTree.Expression>();
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && init !== null) constants.set(id.name, init);
    }
  }
  return constants;
}

/** The text that a source expression always evaluates to; null if it varies. */
function textOf(node: ESTree.Node, constants: Constants): string | null {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? node.value : null;
    case "Identifier": {
      const constant = constants.get(node.name);
      return constant === undefined ? null : textOf(constant, constants);
    }
    case "BinaryExpression":
      return node.operator === "+" ? joined([node.left, node.right], constants) : null;
    case "TemplateLiteral":
      return filled(node, constants, ({ value }) => value.cooked ?? value.raw);
    case "TaggedTemplateExpression":
      return isStringRaw(node.tag) ? filled(node.quasi, constants, ({ value }) => value.raw) : null;
    case "MemberExpression":
      return sourceOf(node, constants);
    default:
      return null;
  }
}

function filled(
  { quasis, expressions }: ESTree.TemplateLiteral,
  constants: Constants,
  read: (part: ESTree.TemplateElement) => string,
): string | null {
  const values = expressions.map((value) => textOf(value, constants));
  if (values.includes(null)) return null;
  return quasis.map((part, index) => read(part) + (values[index] ?? "")).join("");
}

function joined(nodes: readonly ESTree.Node[], constants: Constants): string | null {
  const texts = nodes.map((node) => textOf(node, constants));
  return texts.includes(null) ? null : texts.join("");
}

/** `EXPRESSION.source` */
function sourceOf(node: ESTree.MemberExpression, constants: Constants): string | null {
  if (node.property.type !== "Identifier" || node.property.name !== "source") return null;
  const whole = node.object.type === "Identifier" ? constants.get(node.object.name) : node.object;
  return whole?.type === "Literal" && "regex" in whole ? whole.regex.pattern : null;
}

function isStringRaw(tag: ESTree.Expression): boolean {
  return (
    tag.type === "MemberExpression" &&
    tag.object.type === "Identifier" &&
    tag.object.name === "String" &&
    tag.property.type === "Identifier" &&
    tag.property.name === "raw"
  );
}
