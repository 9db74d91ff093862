import { Counter, type Registry } from "prom-client";

/** Counts an answer of one route, by its status. */
export type CountAnswer = (status: number) => void;

/**
 * Answers by route and status. They are counted in a plain map and put into the registry when it is read: labels that
 * were looked up for each answer would cost it a fiftieth of its time.
 */
export function createAnswerCounts(registry: Registry): (route: string) => CountAnswer {
  const routes = new Map<string, { pending: Map<number, number>; count: CountAnswer }>();
  new Counter({
    name: "serving_answers_total",
    help: "Answers of the public endpoints, by route and status",
    labelNames: ["route", "status"],
    registers: [registry],
    collect() {
      for (const [route, { pending }] of routes) {
        for (const [status, answers] of pending) this.inc({ route, status }, answers);
        pending.clear();
      }
    },
  });

  return (route) => {
    const known = routes.get(route);
    if (known !== undefined) return known.count;
    const pending = new Map<number, number>();
    const count = (status: number) => {
      pending.set(status, (pending.get(status) ?? 0) + 1);
    };
    routes.set(route, { pending, count });
    return count;
  };
}
