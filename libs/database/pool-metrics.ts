import type pg from "pg";
import { Gauge, type Registry } from "prom-client";

/** Registers how far a pool's connections are used, read at each scrape. The processes of one service are added up. */
export function measurePool(
  pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount" | "options">,
  registry: Registry,
): void {
  const registers = [registry];
  new Gauge({
    name: "placard_postgres_pool_connections",
    help: "Open connections to Postgres: in_use by a query or a transaction, or idle",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "in_use" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
    },
  });
  new Gauge({
    name: "placard_postgres_pool_max_connections",
    help: "DATABASE_POOL_SIZE: beyond it queries wait",
    registers,
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: "placard_postgres_pool_waiting",
    help: "Queries that wait for a free connection",
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
