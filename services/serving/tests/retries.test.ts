import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlledLog } from "#libs/event-log/tests/controlled-log.ts";
import { createMemoryJudge, eventsOf, judgedRows, readLines } from "#libs/judge/index.ts";
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

  /** As the reader of the log judges what it holds. */
  async function verdicts(): Promise<string[]> {
    const lines = await readLines(log.taken);
    const { rows } = await judgedRows(
      lines,
      await createMemoryJudge().judge(eventsOf(lines), { origin: "log", first: 0n, name: "all" }),
    );
    return [...rows.join("").matchAll(/"(valid|duplicate)"/g)].map(([, verdict = ""]) => verdict);
  }

  it("is counted, where nothing was stored before", async () => {
    log.fate = "away";
    const refused = await send();

    log.fate = "taken";
    now += 1_000;
    const retried = await send();

    expect([refused, retried]).toEqual(["503", "true"]);
    expect(await verdicts()).toEqual(["valid"]);
  });

  it("has the whole limit of its address, where nothing was stored before", async () => {
    log.fate = "away";
    const refused = [await send(), await send(), await send(), await send()];

    log.fate = "taken";
    const retried = [await send(), await send(), await send(), await send()];

    expect(refused).toEqual(["503", "503", "503", "503"]);
    expect(retried).toEqual(["true", "true", "true", "false"]);
  });

  it("is counted at once, whatever becomes of an earlier event of the visitor that is not stored yet", async () => {
    log.fate = "held";
    const original = await begin();
    log.fate = "taken";
    const answers = [await send()];

    log.release("away");
    answers.push(await original.answer, await send());

    expect(answers).toEqual(["true", "503", "true"]);
    expect(await verdicts()).toEqual(["valid", "duplicate"]);
  });

  it("is acknowledged next to an event that is stored meanwhile, and one of both counts", async () => {
    log.fate = "held";
    const original = await begin();
    log.fate = "taken";
    const duplicate = await begin();

    log.release("taken");

    expect([await original.answer, await duplicate.answer]).toEqual(["true", "true"]);
    expect(await verdicts()).toEqual(["valid", "duplicate"]);
  });

  it("is counted where nobody knows whether the first was stored, once within the window", async () => {
    log.fate = "landed";
    const unclear = await send();
    log.fate = "lost";
    const lost = await send();
    log.fate = "taken";
    now += 1_000;
    const retried = await send();

    now += WINDOW_MS;
    const later = await send();

    expect([unclear, lost, retried, later]).toEqual(["503", "503", "true", "true"]);
    expect(await verdicts()).toEqual(["valid", "duplicate", "valid"]);
  });
});
