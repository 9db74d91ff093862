import type { Moment } from "./clickhouse-proxy.ts";
import type { Installation } from "./installation.ts";
import type { Passing } from "./kafka-proxy.ts";

/** A step of a protocol in which a process can die, as it shows on the wire. */
export interface Step {
  readonly name: string;
  /** Who takes it. */
  readonly of: "serving" | "ingestion";
  readonly on: "produce" | "offsetCommit" | "insert";
  /** Whether the engine has heard of it and has done it, and only the answer is missing. */
  readonly isDone: boolean;
}

/** Those of serving and of ingestion have nothing to do with each other, so one of each may go wrong at the same time. */
export const STEPS: readonly (readonly [Step, ...Step[]])[] = [
  [
    { name: "a batch is sent to Kafka", of: "serving", on: "produce", isDone: false },
    { name: "an offset is committed", of: "ingestion", on: "offsetCommit", isDone: false },
  ],
  [
    { name: "Kafka answers a batch", of: "serving", on: "produce", isDone: true },
    {
      name: "Kafka answers a commit",
      of: "ingestion",
      on: "offsetCommit",
      isDone: true,
    },
  ],
  [{ name: "a range is sent to ClickHouse", of: "ingestion", on: "insert", isDone: false }],
  [
    {
      name: "ClickHouse answers a range",
      of: "ingestion",
      on: "insert",
      isDone: true,
    },
  ],
];

/** Acts when the step is taken for the n-th time, in that very moment; what was on the wire then does not get through. */
export async function stepTaken(
  { kafkaProxy, clickHouseProxies }: Installation,
  step: Step,
  nth: number,
  act: () => void,
): Promise<void> {
  const taken = Promise.withResolvers<void>();
  let count = 0;
  const isTheOne = () => {
    count += 1;
    if (count !== nth) return false;
    act();
    taken.resolve();
    return true;
  };
  if (step.on === "insert") {
    const at = step.isDone ? "inserted" : "asked";
    const rule = (moment: Moment) => (moment === at && isTheOne() ? "cut" : "pass");
    for (const { rules } of clickHouseProxies) rules.add(rule);
    await taken.promise;
    for (const { rules } of clickHouseProxies) rules.delete(rule);
  } else {
    const direction = step.isDone ? "answer" : "request";
    const rule = (passing: Passing) =>
      passing.request === step.on && passing.direction === direction && isTheOne() ? "cut" : "pass";
    kafkaProxy.rules.add(rule);
    await taken.promise;
    kafkaProxy.rules.delete(rule);
  }
}
