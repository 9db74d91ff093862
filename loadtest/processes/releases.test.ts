import { expect, it, vi } from "vitest";
import { releasing } from "./releases.ts";

it("gives back what was taken, the last first, also when the work fails", async () => {
  const order: string[] = [];

  const work = releasing(async (later) => {
    later(async () => order.push("first"));
    later(async () => order.push("second"));
    throw new Error("the work failed");
  });

  await expect(work).rejects.toThrow("the work failed");
  expect(order).toEqual(["second", "first"]);
});

it("reports a failed release, and continues with the rest", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const order: string[] = [];

  const result = await releasing(async (later) => {
    later(async () => order.push("first"));
    later(() => Promise.reject(new Error("it hangs")));
    return "done";
  });

  expect(said).toHaveBeenCalledWith(expect.stringContaining("it hangs"));
  said.mockRestore();
  expect(result).toBe("done");
  expect(order).toEqual(["first"]);
});
