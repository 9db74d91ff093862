import { describe, expect, it } from "vitest";
import { readOptions, SCENARIOS } from "./options.ts";

describe("readOptions", () => {
  it("runs everything when nothing is asked for", () => {
    const options = readOptions([]);

    expect(options.scenarios).toEqual(SCENARIOS);
    expect(options).toMatchObject({ duration: 5, rounds: 5, events: 50e6, quick: false, target: undefined });
  });

  it("keeps a quick run to the scenarios that it has time for", () => {
    const options = readOptions(["--quick"]);

    expect(options.scenarios).toEqual(["serving", "tracking", "delay", "start"]);
    expect(options).toMatchObject({ duration: 0.6, rounds: 3, quick: true });
  });

  it("puts the scenarios that are asked for into the order in which they run", () => {
    const options = readOptions(["--scenario", "cost,serving", "--duration", "1", "--rounds", "2"]);

    expect(options.scenarios).toEqual(["serving", "cost"]);
    expect(options).toMatchObject({ duration: 1, rounds: 2 });
  });

  it("loads a deployment gently by default", () => {
    const to = ["--target", "https://ads.example.com", "--workspace", "ws_1"];

    expect(readOptions(to).target).toMatchObject({ workspaceId: "ws_1", rate: 50 });
    expect(readOptions([...to, "--rate", "2000"]).target?.rate).toBe(2_000);
    expect(() => readOptions([...to, "--rate", "2001"])).toThrow(
      "--rate 2001 must be a number from 1 to 2000.",
    );
  });

  it.each([
    [["--scenario", "nonsense"], /^--scenario nonsense is unknown; there are serving, /],
    [["--duration", "0.1"], "--duration 0.1 must be a number from 0.5 to 600."],
    [["--rounds", ""], "--rounds  must be a number from 1 to 100."],
    [["--soak", "0"], /^--soak 0 must be a number from 0.1 /],
    [["--events", "many"], /^--events many must be a number/],
    [["--target", "ads.example.com", "--workspace", "ws_1"], "must be an http or https address."],
    [["--target", "https://ads.example.com"], "--target needs --workspace"],
    [["--workspace", "ws_1"], "--workspace and --rate say nothing without --target."],
    [["--unknown"], /unknown/i],
  ])("refuses %j with a sentence", (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });
});
