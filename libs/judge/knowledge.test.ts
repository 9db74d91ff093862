import { expect, it, onTestFinished, vi } from "vitest";
import { Knowledge } from "./knowledge.ts";

it("begins at the start, and after a long pause at what was judged last before it", () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date", "performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const knowledge = new Knowledge();
  const judgedAfter = (ms: number) => {
    vi.advanceTimersByTime(ms);
    const { since } = knowledge;
    knowledge.judged();
    return since;
  };

  expect([10_000, 60_000, 600_000, 1_000, 60_001].map(judgedAfter)).toEqual([
    1_000_000, 1_000_000, 1_070_000, 1_070_000, 1_671_000,
  ]);
});
