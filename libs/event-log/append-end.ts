import type { BegunAppend } from "./port.ts";

/** What became of an append within the time that its caller has. */
export type AppendEnd =
  | { readonly outcome: "taken" | "slow" }
  | { readonly outcome: "failed"; readonly error: unknown };

/** Resolves when the append ends, and with `slow` where it has not after `slowMs`, in milliseconds. Never rejects. */
export async function endOf({ done }: BegunAppend, slowMs: number): Promise<AppendEnd> {
  const { promise, resolve } = Promise.withResolvers<AppendEnd>();
  const timer = setTimeout(() => resolve({ outcome: "slow" }), slowMs);
  done.then(
    () => resolve({ outcome: "taken" }),
    (error: unknown) => resolve({ outcome: "failed", error }),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
