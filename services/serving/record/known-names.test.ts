import { expect, it } from "vitest";
import type { AddressKey } from "#libs/http/index.ts";
import { KnownNames } from "./known-names.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const HERE: AddressKey = "net 192.0.2.7";
const THERE: AddressKey = "net 192.0.2.8";

function openNames() {
  const clock = { now: NOON };
  const names = new KnownNames(() => clock.now);
  const ask = (
    name: string,
    {
      address = null,
      mayTake = true,
      workspaceId = "ws_1",
      owner = "person_1",
    }: Partial<Parameters<KnownNames["bounded"]>[0]> = {},
  ) => names.bounded({ workspaceId, owner, part: "placement", name, address, mayTake });
  return { clock, ask };
}

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `name ${number}`);

it("keeps a thousand placements of a workspace and day, and calls further ones `(other)`", () => {
  const { ask, clock } = openNames();

  const given = numbered(1_001).map((name) => ask(name));

  expect(given.slice(0, 1_000)).toEqual(numbered(1_000));
  expect(given[1_000]).toBe("(other)");
  expect(ask("name 5")).toBe("name 5");
  expect(ask("")).toBe("");
  expect(ask("name 1000", { workspaceId: "ws_2" })).toBe("name 1000");
  clock.now += 12 * HOUR_MS;
  expect(ask("name 1000")).toBe("name 1000");
});

it("lets an address make forty placements known in an hour, and name those that are known", () => {
  const { ask, clock } = openNames();
  ask("known", { address: THERE });

  const given = numbered(41).map((name) => ask(name, { address: HERE }));

  expect(given.filter((name) => name === "(other)")).toHaveLength(1);
  expect(ask("known", { address: HERE })).toBe("known");
  expect(ask("name 40", { address: THERE })).toBe("name 40");
  clock.now += HOUR_MS;
  expect(ask("another", { address: HERE })).toBe("another");
});

it("counts the networks of a site together", () => {
  const { ask } = openNames();
  const given = numbered(41).map((name, number) => ask(name, { address: `net 2001:db8:1:${number}::/64` }));

  expect(given.at(-1)).toBe("(other)");
});

it("makes no name known by an event that does not count", () => {
  const { ask } = openNames();

  expect(ask("made up", { mayTake: false })).toBe("(other)");
  ask("true");
  expect(ask("true", { mayTake: false })).toBe("true");
});

it("leaves names to other owners when many use up theirs", () => {
  const { ask } = openNames();
  // Together as many as a process keeps.
  const all = numbered(1_000);
  for (let number = 0; number < 200; number += 1)
    for (const name of all) ask(name, { workspaceId: `ws_of_${number}`, owner: `person_${number}` });

  const given = numbered(20).map((name) => ask(name, { workspaceId: "ws_of_another", owner: "another" }));

  expect(given).toEqual(numbered(20));
});

it("leaves all names of a workspace to others, however many workspaces an owner has", () => {
  const { ask } = openNames();
  const all = numbered(1_000);
  for (let number = 0; number < 100; number += 1)
    for (const name of all) ask(name, { workspaceId: `ws_of_one_${number}`, owner: "one" });

  const given = all.map((name) => ask(name, { workspaceId: "ws_of_another", owner: "another" }));

  expect(given).toEqual(all);
});
