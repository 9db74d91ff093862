import { expect, it, onTestFinished, vi } from "vitest";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import { type PersistentOptions, persistently } from "./persistent.ts";

const AWAY = new StatsStoreError("UNAVAILABLE", "no answer");

function optionsWith(more: Partial<PersistentOptions> = {}) {
  return {
    signal: new AbortController().signal,
    firstPauseMs: 1,
    onTrouble: vi.fn(),
    onBlocked: vi.fn(),
    onRecovery: vi.fn(),
    ...more,
  };
}

it("retries until it succeeds, and reports the trouble and the recovery once", async () => {
  const options = optionsWith();
  const attempt = vi.fn().mockRejectedValueOnce(AWAY).mockRejectedValueOnce(AWAY).mockResolvedValue("done");

  const result = await persistently(attempt, options);

  expect(result).toBe("done");
  expect(attempt).toHaveBeenCalledTimes(3);
  expect(options.onTrouble).toHaveBeenCalledExactlyOnceWith(AWAY);
  expect(options.onRecovery).toHaveBeenCalledOnce();
});

it("reports once that it has failed for a minute", async () => {
  const onBlocked = vi.fn();
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  const attempt = vi.fn();
  for (const ms of [1, 60_000, 60_001, 120_000]) {
    attempt.mockImplementationOnce(() => {
      now.mockReturnValue(ms);
      return Promise.reject(new StatsStoreError("UNAVAILABLE", `after ${ms} ms`));
    });
  }

  await persistently(attempt.mockResolvedValue("done"), optionsWith({ onBlocked }));

  expect(onBlocked.mock.calls).toEqual([[expect.objectContaining({ message: "after 60001 ms" })]]);
});

it("does not retry what cannot succeed", async () => {
  const attempt = vi.fn().mockRejectedValue(new StatsStoreError("REFUSED", "no"));

  await expect(persistently(attempt, optionsWith())).rejects.toMatchObject({ code: "REFUSED" });

  expect(attempt).toHaveBeenCalledOnce();
});

it("rejects with the last failure when the signal aborts, also during a pause", async () => {
  const ending = new AbortController();
  const onTrouble = () => ending.abort();
  const attempt = vi.fn().mockRejectedValue(AWAY);

  const trying = persistently(
    attempt,
    optionsWith({ signal: ending.signal, firstPauseMs: 60_000, onTrouble }),
  );

  await expect(trying).rejects.toBe(AWAY);
  expect(attempt).toHaveBeenCalledOnce();
});
