import pg from "pg";
import { afterAll, vi } from "vitest";

/** The statements that this process has sent to Postgres while it was listening. */
export interface QueryLog {
  /** Runs `act` and notes every statement that is sent meanwhile, also by jobs. */
  during<T>(act: () => Promise<T>): Promise<T>;
  /** Each different statement once, on one line and without quotes around names. */
  statements(): string[];
}

/** Listens at the driver, so that nothing that reaches Postgres can pass by. It stops after the last test. */
export function listenToQueries(): QueryLog {
  const statements = new Set<string>();
  const spy = vi.spyOn(pg.Client.prototype, "query");
  afterAll(() => spy.mockRestore());
  return {
    async during(act) {
      spy.mockClear();
      try {
        return await act();
      } finally {
        for (const [first] of spy.mock.calls) statements.add(oneLine(textOf(first)));
        spy.mockClear();
      }
    },
    statements: () => [...statements],
  };
}

function textOf(query: unknown): string {
  if (typeof query === "string") return query;
  return typeof query === "object" && query !== null && "text" in query ? String(query.text) : "";
}

function oneLine(sql: string): string {
  return sql.replaceAll('"', "").replaceAll(/\s+/g, " ").trim();
}
