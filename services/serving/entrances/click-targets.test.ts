import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { prepareSnapshot } from "../directory/prepared-snapshot.ts";
import { aCachedAd, anAd, aSnapshot } from "../tests/builders.ts";
import { createClickTargets } from "./click-targets.ts";

const ads = ["https://a.example/", "https://b.example/", null].map((clickUrl) => anAd({ clickUrl }));
const first = aSnapshot({ ads });
const { workspaceId } = first;

/** A directory whose snapshot can be replaced, and how often it was asked for it. */
function aDirectory(initial: typeof first | null) {
  const state = { snapshot: initial, asked: 0 };
  const targetOf = createClickTargets({
    cachedVersion: () => state.snapshot?.version,
    cachedAd: (id) =>
      state.snapshot?.ads.some((ad) => ad.id === id) ? aCachedAd(id, workspaceId) : undefined,
    find: async () => {
      state.asked += 1;
      return state.snapshot === null ? null : prepareSnapshot(state.snapshot);
    },
  });
  return { state, targetOf: (id = newId("ad")) => targetOf({ id, workspaceId }, "net 192.0.2.7") };
}

it("asks for a snapshot once, however many links of its ads are followed", async () => {
  const { state, targetOf } = aDirectory(first);

  for (const { id, clickUrl } of [...ads, ...ads]) expect(await targetOf(id)).toBe(clickUrl);

  expect(state.asked).toBe(1);
});

it("asks for no snapshot for ads that nobody has approved, which are in none", async () => {
  const { state, targetOf } = aDirectory(first);

  expect([await targetOf(newId("ad")), await targetOf(newId("ad"))]).toEqual([null, null]);
  expect(state.asked).toBe(0);
});

it("leads where the newest snapshot says, and nowhere once an ad has left it", async () => {
  const { state, targetOf } = aDirectory(first);
  const [changed, gone] = ads;
  await targetOf(changed?.id);

  const newer = ads.filter((ad) => ad !== gone).map((ad) => ({ ...ad, clickUrl: "https://new.example/" }));
  state.snapshot = { ...first, version: first.version + 1, ads: newer };
  expect([await targetOf(changed?.id), await targetOf(gone?.id)]).toEqual(["https://new.example/", null]);

  state.snapshot = null;
  expect(await targetOf(changed?.id)).toBeNull();
});
