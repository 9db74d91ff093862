import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AddressKey } from "#libs/http/index.ts";
import { createMemoryLimits } from "#libs/limits/index.ts";
import { createSignInBrake, type SignInBrake } from "./sign-in-brake.ts";

const EMAIL = "grace@example.com";
const HERE: AddressKey = "net 192.0.2.1";
const ELSEWHERE: AddressKey = "net 198.51.100.1";

describe("the brake of sign-ins", () => {
  let brake: SignInBrake;
  const limits = createMemoryLimits();

  beforeEach(() => {
    vi.useFakeTimers();
    brake = createSignInBrake(limits);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await limits.close();
  });

  async function failTimes(times: number, email = EMAIL) {
    for (let count = 0; count < times; count += 1) await brake.fail(email, ELSEWHERE);
  }

  /** Whether the attempt is looked at without the clock moving. */
  async function isAtOnce(attempt: Promise<void>): Promise<boolean> {
    const done = attempt.then(() => true);
    return Promise.race([done, vi.advanceTimersByTimeAsync(0).then(() => false)]);
  }

  it("lets 30 failures an hour through at once, then each attempt after five seconds", async () => {
    await failTimes(29);
    const before = await isAtOnce(brake.admit(EMAIL, HERE));
    await failTimes(1);
    const attempt = brake.admit(EMAIL, HERE);
    const after = await isAtOnce(attempt);

    await vi.advanceTimersByTimeAsync(5_000);

    expect([before, after]).toEqual([true, false]);
    await expect(attempt).resolves.toBeUndefined();
  });

  it("counts an account however its address is written, and no other account", async () => {
    await failTimes(30, " Grace@Example.COM ");

    const other = await isAtOnce(brake.admit("ada@example.com", HERE));
    const same = brake.admit(EMAIL, HERE);

    expect([other, await isAtOnce(same)]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(5_000);
  });

  it("lets one attempt of an address wait, and twenty of an account; the others are 429 at once", async () => {
    await failTimes(30);
    const attempts = Array.from({ length: 20 }, (_, at) => brake.admit(EMAIL, `net 192.0.2.${at}`));

    const again = brake.admit(EMAIL, "net 192.0.2.3");
    const oneMore = brake.admit(EMAIL, "net 192.0.2.99");

    await expect(again).rejects.toMatchObject({ status: 429 });
    await expect(oneMore).rejects.toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(attempts);
    const later = brake.admit(EMAIL, "net 192.0.2.99");
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(later).resolves.toBeUndefined();
  });

  it("lets an address in at once that gave the right password before, when strangers take all places", async () => {
    brake.succeed(" Grace@Example.COM ", HERE);
    await failTimes(30);
    const strangers = Array.from({ length: 20 }, (_, at) => brake.admit(EMAIL, `net 203.0.113.${at}`));

    const own = await isAtOnce(brake.admit(EMAIL, HERE));
    const elsewhere = brake.admit(EMAIL, ELSEWHERE);

    expect(own).toBe(true);
    await expect(elsewhere).rejects.toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(strangers);
  });

  it("slows an address down again that has given a wrong password since", async () => {
    brake.succeed(EMAIL, HERE);
    await failTimes(30);
    await brake.fail(EMAIL, HERE);

    const attempt = brake.admit(EMAIL, HERE);

    expect(await isAtOnce(attempt)).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    await attempt;
  });

  it("lets no more than thirty guesses that are sent at once precede the first failure", async () => {
    const guesses = Array.from({ length: 30 }, (_, at) => brake.admit(EMAIL, `net 203.0.113.${at}`));
    await Promise.all(guesses);

    const oneMore = brake.admit(EMAIL, ELSEWHERE);
    const before = await isAtOnce(oneMore);
    brake.finish(EMAIL);
    const after = await isAtOnce(brake.admit(EMAIL, HERE));

    expect([before, after]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(5_000);
    await oneMore;
  });

  it("forgets the failures after their hour", async () => {
    await failTimes(30);

    await vi.advanceTimersByTimeAsync(3_600_001);

    expect(await isAtOnce(brake.admit(EMAIL, HERE))).toBe(true);
  });
});
