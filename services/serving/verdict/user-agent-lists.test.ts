import { describe, expect, it } from "vitest";
import { readBrowsers, readRobots } from "./user-agent-lists.ts";

const browsers = (text: string) => readBrowsers(Buffer.from(text, "latin1"));
const robots = (text: string) => readRobots(Buffer.from(text, "latin1"));

describe("a list of browsers", () => {
  it("has user agents that have an active pattern in them, or begin with it where the flag says so", async () => {
    const list = await browsers("# Example browsers\n\nWanderer/|1|1\nNavi Pro|1|0\nOldie|0|0|03/31/2020\n");

    expect(list.entries).toBe(2);
    expect(
      ["wanderer/3.1 (linux)", "x wanderer/3.1", "mozilla/5.0 navi pro/2", "navi", "oldie/1"].filter(
        (userAgent) => list.has(userAgent),
      ),
    ).toEqual(["wanderer/3.1 (linux)", "mozilla/5.0 navi pro/2"]);
  });

  it("takes patterns as they are written: blanks, a # inside, one character, bytes of Latin-1", async () => {
    const list = await browsers("my app |1|0\r\nC# Reader|1|0\r\n~|1|1\r\nÉtoile|1|0\r\n");

    expect(
      ["my app 2", "my apple", "c# reader", "~", "a~", "l'étoile"].filter((userAgent) => list.has(userAgent)),
    ).toEqual(["my app 2", "c# reader", "~", "l'étoile"]);
  });

  it("may begin with a byte order mark", async () => {
    const list = await readBrowsers(Buffer.from("\uFEFF# Browsers\nNavi|1|0\n"));

    expect([list.entries, list.has("navi")]).toEqual([1, true]);
  });
});

describe("a list of robots", () => {
  it("has no user agent with an exception of its entry, unless another entry has it", async () => {
    const list = await robots(
      "probe|1|Probella, SpaceProbe,probe tv|0|2|0\nprobe tv/9|1||0|0|1|01/31/2030\nspy|0||0|2|0|05/01/2019\n",
    );

    expect(list.entries).toBe(2);
    expect(
      ["my probe 1", "probella/2", "spaceprobe", "a probe tv/9", "probe tv/9", "spy"].filter((userAgent) =>
        list.has(userAgent),
      ),
    ).toEqual(["my probe 1", "probe tv/9"]);
  });

  it("leaves out what no list of browsers has", async () => {
    const list = await robots("fetcher/|1||1|2|1\nchecker|1||0|2|0\n");
    const asked = ["fetcher/1", "a checker"];

    expect(asked.map((userAgent) => list.has(userAgent))).toEqual([true, true]);
    expect(asked.map((userAgent) => list.hasAmongBrowsers(userAgent))).toEqual([false, true]);
  });
});

describe("refuses", () => {
  it.each([
    ["robots as browsers", "# Browsers\nfetcher|1||1|2|0\n", "line 2 has 6 fields instead of 3 or 4"],
    ["a flag that is none", "navi|1|1\nwanderer|yes|1\n", "line 2 has neither 0 nor 1 in field 2"],
    ["an active entry without its other flag", "navi|1|\n", "line 1 has neither 0 nor 1 in field 3"],
    ["an entry that has every user agent", "navi|1|1\n |1|0\n", "line 2 has no pattern"],
    [
      "a long pattern",
      `${"n".repeat(200)}|1|0\n${"n".repeat(201)}|1|0`,
      "line 2 has a pattern of more than 200",
    ],
    ["nothing", "", "it has no active entry"],
    ["inactive entries alone", "navi|0|0|01/31/2020\n", "it has no active entry"],
  ])("%s", async (_what, text, reason) => {
    await expect(browsers(text)).rejects.toThrow(reason);
  });

  it.each([
    ["browsers as robots", "Navi|1|1\n", 'line 1 has 3 fields instead of 6 or 7: "Navi|1|1"'],
    ["a long exception", `probe|1|a, ${"n".repeat(201)}|0|2|0`, "line 1 has a pattern of more than 200"],
    ["a flag that is none", "probe|1||2|2|0", "line 1 has neither 0 nor 1 in field 4"],
    ["nothing", "# Robots\n", "it has no active entry"],
  ])("of robots: %s", async (_what, text, reason) => {
    await expect(robots(text)).rejects.toThrow(reason);
  });

  it("more than 20,000 active entries", async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `robot ${n}|1||0|2|0`).join("\n");

    expect((await robots(`${lines(20_000)}\nretired|0||0|2|0`)).entries).toBe(20_000);
    await expect(robots(lines(20_001))).rejects.toThrow("it has more than 20000 active entries");
  });
});
