import { expect, it } from "vitest";
import { PaymentsError } from "#libs/payments/index.ts";
import type { Turn } from "../../queue/tasks.ts";
import { callForEach } from "./at-processor.ts";

const PER_TURN = 20;
const PAGE = 7;

/** A call that succeeds removes its row; refused and unknown rows stay. */
function rowsOf(
  count: number,
  { refused = [], unknown = [] }: { refused?: number[]; unknown?: number[] } = {},
) {
  const idOf = (n: number) => `row-${String(n).padStart(3, "0")}`;
  let rows = Array.from({ length: count }, (_, n) => ({ id: idOf(n + 1) }));
  const ids = (numbers: readonly number[]) => new Set(numbers.map(idOf));
  const [isRefused, isUnknown] = [ids(refused), ids(unknown)];
  const calls: string[] = [];
  const turn = (from: Turn | undefined) =>
    callForEach({
      from,
      pageAfter: async (after) => rows.filter(({ id }) => id > after).slice(0, PAGE),
      call: async ({ id }) => {
        calls.push(id);
        if (isRefused.has(id)) throw new PaymentsError("PROCESSOR_FAILED", "refused", false);
        if (isUnknown.has(id)) throw new PaymentsError("NOT_FOUND", "unknown", false);
        rows = rows.filter((row) => row.id !== id);
      },
      isUnknown: async (_row, { code }) => code === "NOT_FOUND",
      onUnknown: () => undefined,
    });
  return { turn, calls, left: () => rows.length };
}

function from(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n + 1);
}

it("ends a turn after twenty calls, and is done after a pass that finds nothing more", async () => {
  const { turn, calls, left } = rowsOf(PER_TURN + 3);

  const second = await turn(undefined);
  expect([calls.length, left()]).toEqual([PER_TURN, 3]);
  const again = await turn(second ?? undefined);
  expect(left()).toBe(0);
  expect(again).toEqual({ after: "", hasRefused: false });
  expect(await turn(again ?? undefined)).toBeNull();
});

it("counts refused calls in a turn, and begins the next turn after them", async () => {
  const { turn, calls, left } = rowsOf(PER_TURN * 2, { refused: from(PER_TURN) });

  const second = await turn(undefined);
  expect(calls).toHaveLength(PER_TURN);
  const third = await turn(second ?? undefined);
  expect(calls).toHaveLength(PER_TURN * 2);
  expect(left()).toBe(PER_TURN);
  await expect(turn(third ?? undefined)).rejects.toMatchObject({ canRetry: false });
});

it("tries the other rows of a turn before it says that one was refused", async () => {
  const { turn, left } = rowsOf(5, { refused: [2], unknown: [4] });

  await expect(turn(undefined)).rejects.toThrow("refused");

  expect(left()).toBe(2);
});
