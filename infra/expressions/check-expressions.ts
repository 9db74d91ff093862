import { check, type Diagnostics } from "recheck";
import type { Expression } from "./find-expressions.ts";

/** What may be wrong with an expression: `exponential` for those of tests, which read only what the tests made. */
export type Demand = "linear" | "not exponential";

/** Analysed at the same time; each is a few milliseconds to a few seconds of work for another process. */
const AT_ONCE = 4;
const ANALYSED_WITHIN_MS = { linear: 60_000, "not exponential": 400 } as const;
/** An attack counts by its steps, not by its time, which on a busy machine says nothing. */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null } as const;

/**
 * A sentence with file and line for each expression that some text of a few thousand characters can keep busy, and for
 * each that cannot be judged. One that occurs often is analysed once.
 */
export async function checkExpressions(
  expressions: readonly Expression[],
  demand: Demand,
): Promise<string[]> {
  const places = Map.groupBy(expressions, ({ pattern, flags }) =>
    pattern === null ? "" : `/${pattern}/${flags}`,
  );
  const waiting = [...places];
  const problems: string[] = [];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [written, [first, ...more]] = next;
      if (first === undefined) continue;
      const problem = await problemOf(first, demand);
      if (problem === null) continue;
      for (const { file, line } of [first, ...more])
        problems.push(`${[`${file}:${line}`, written, problem].filter(Boolean).join(" ")}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return problems.toSorted();
}

async function problemOf({ pattern, flags }: Expression, demand: Demand): Promise<string | null> {
  if (pattern === null) return demand === "linear" ? "is built at run time, so nobody can check it" : null;
  const diagnostics = await check(pattern, flags, { ...BY_STEPS, timeout: ANALYSED_WITHIN_MS[demand] });
  return demand === "linear" ? problemIn(diagnostics) : exponentialIn(diagnostics);
}

function problemIn(diagnostics: Diagnostics): string | null {
  if (diagnostics.status === "safe") return null;
  if (diagnostics.status === "unknown") return `cannot be checked: ${diagnostics.error.kind}`;
  const { complexity, attack } = diagnostics;
  return `takes ${complexity.summary} time, as for ${attack.pattern}`;
}

function exponentialIn(diagnostics: Diagnostics): string | null {
  const isExponential = diagnostics.status === "vulnerable" && diagnostics.complexity.type === "exponential";
  return isExponential ? problemIn(diagnostics) : null;
}
