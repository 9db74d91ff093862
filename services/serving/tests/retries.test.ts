import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlledLog } from "#libs/event-log/tests/controlled-log.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type ServingRig } from "./serving-rig.ts";

const ad = anAd();
const WINDOW_MS = 10_000;

describe("a client that tries again after a 503", () => {
  let log: ControlledLog;
  let rig: ServingRig;
  let now: number;
  beforeEach(async () => {
    log = new ControlledLog();
    now = Date.UTC(2026, 10, 21, 12, 0, 30);
    rig = await openRig({
      log,
      snapshots: [aSnapshot({ ads: [ad] })],
      limits: { impressionsPerMinute: 3, impressionWindowMs: WINDOW_MS },
      now: () => now,
    });
  });
  afterEach(() => rig.close());

  async function send(): Promise<string> {
    const response = await fetch(`${rig.url}/ads/${ad.id}/impressions`, {
      method: "POST",
      headers: { "user-agent": FIREFOX },
    });
    if (response.status === 503) return "503";
    const { success } = await response.json();
    return String(success);
  }

  /** Sends, and resolves when the log has been asked. */
  async function begin(): Promise<{ readonly answer: Promise<string> }> {
    const before = log.asked.length;
    const answer = send();
    await expect.poll(() => log.asked.length, { timeout: 20_000 }).toBe(before + 1);
    return { answer };
  }

  const verdicts = () =>
    log.taken.flatMap(({ rows }) =>
      [...rows.toString().matchAll(/"(valid|duplicate)"/g)].map(([, verdict]) => verdict),
    );

  it("is counted, where nothing was stored before", async () => {
    log.fate = "away";
    const refused = await send();

    log.fate = "taken";
    now += 1_000;
    const retried = await send();

    expect([refused, retried]).toEqual(["503", "true"]);
    expect(verdicts()).toEqual(["valid"]);
  });

  it("has the whole limit of its address, where nothing was stored before", async () => {
    log.fate = "away";
    const refused = [await send(), await send(), await send(), await send()];

    log.fate = "taken";
    const retried = [await send(), await send(), await send(), await send()];

    expect(refused).toEqual(["503", "503", "503", "503"]);
    expect(retried).toEqual(["true", "true", "true", "false"]);
  });

  it("is not acknowledged as the duplicate of an event that then is not stored", async () => {
    log.fate = "held";
    const original = await begin();
    log.fate = "taken";
    const duplicate = await begin();

    log.release("away");
    const answers = [await original.answer, await duplicate.answer];
    const retried = await send();

    expect(answers).toEqual(["503", "503"]);
    expect(retried).toBe("true");
    expect(verdicts()).toEqual(["duplicate", "valid"]);
  });

  it("is acknowledged as the duplicate of an event that is stored meanwhile", async () => {
    log.fate = "held";
    const original = await begin();
    log.fate = "taken";
    const duplicate = await begin();

    log.release("taken");

    expect([await original.answer, await duplicate.answer]).toEqual(["true", "true"]);
    expect(verdicts()).toEqual(["duplicate", "valid"]);
  });

  it("is refused where nobody knows whether the first was stored, until the window has passed", async () => {
    log.fate = "lost";
    const lost = await send();
    log.fate = "taken";
    now += 1_000;
    const retried = await send();

    now += WINDOW_MS;
    const later = await send();

    expect([lost, retried, later]).toEqual(["503", "503", "true"]);
    expect(verdicts()).toEqual(["duplicate", "valid"]);
  });
});
