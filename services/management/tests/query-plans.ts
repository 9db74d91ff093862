import { type CompiledQuery, Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Tables } from "#libs/database/tables.ts";

/** A step of a plan, as Postgres explains it. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  /** The condition that pairs of rows are held against. */
  readonly "Join Filter"?: string;
  /** The condition that rows are held against. */
  readonly Filter?: string;
  /** `SubPlan …` for a query that is run for each row, `InitPlan …` for one that is run once. */
  readonly "Subplan Name"?: string;
  /** Where it was carried out. */
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A database that notes what it is asked, and tells how Postgres goes about it. */
export interface PlannedDatabase {
  readonly db: Kysely<Tables>;
  /** What was asked since this was last emptied. */
  readonly asked: CompiledQuery[];
  /** Fills tables in one transaction, without the triggers of foreign keys, which would take most of the time. */
  fill(statements: string): Promise<void>;
  /** The steps of the plan that is made for the very query, with its parameters. */
  planOf(query: CompiledQuery): Promise<PlanNode[]>;
  /** How many rows of the filled tables the very query reads. */
  rowsRead(query: CompiledQuery): Promise<number>;
  /** How many rows all steps of the very query handle, those included that they leave out again. */
  rowsHandled(query: CompiledQuery): Promise<number>;
  /** Those of the filled tables that a plan reads from beginning to end. */
  scanned(steps: readonly PlanNode[]): string[];
}

/** Watches the plans of queries on `tables`, which `fill` fills and analyses. */
export function watchPlans(pool: pg.Pool, tables: readonly string[]): PlannedDatabase {
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      asked.push(event.query);
    },
  });
  async function explain({ sql, parameters }: CompiledQuery, options: string) {
    const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      `explain (${options}format json) ${sql}`,
      [...parameters],
    );
    return rows.flatMap((row) => withSteps(row["QUERY PLAN"][0].Plan));
  }
  return {
    db,
    asked,
    async fill(statements) {
      const client = await pool.connect();
      try {
        await client.query(`begin; set local session_replication_role = replica; ${statements}; commit;`);
        await client.query(`analyze ${tables.join(", ")}`);
      } finally {
        client.release();
      }
    },
    planOf: (query) => explain(query, ""),
    async rowsRead(query) {
      const steps = await explain(query, "analyze, ");
      return steps
        .filter((step) => tables.includes(step["Relation Name"] ?? ""))
        .reduce((sum, step) => sum + (step["Actual Rows"] ?? 0), 0);
    },
    async rowsHandled(query) {
      const steps = await explain(query, "analyze, ");
      const each = steps.map((step) => {
        const left = (step["Rows Removed by Filter"] ?? 0) + (step["Rows Removed by Join Filter"] ?? 0);
        return ((step["Actual Rows"] ?? 0) + left) * (step["Actual Loops"] ?? 1);
      });
      return each.reduce((sum, rows) => sum + rows, 0);
    },
    scanned: (steps) =>
      steps
        .filter((step) => step["Node Type"] === "Seq Scan")
        .map((step) => step["Relation Name"] ?? "")
        .filter((table) => tables.includes(table)),
  };
}

/** The step and all below it. */
export function withSteps(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withSteps)];
}
