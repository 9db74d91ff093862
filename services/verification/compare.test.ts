import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { compareCounts, describeCounts, unknownAds } from "./compare-counts.ts";
import { compareLog } from "./compare-stores.ts";
import { keysIn, missingFiles } from "./compare-uploads.ts";
import { collect } from "./difference.ts";

const COUNTS = {
  workspaceId: "ws_1",
  adId: "ad_1",
  day: "2026-11-20",
  kind: "click",
  verdict: "valid",
  events: 12,
  daily: 10,
  quarter: 12,
  wide: 12,
} as const;

it("takes counts that grew alike for the same difference, and others for another one", () => {
  const first = describeCounts(COUNTS);
  const grown = describeCounts({ ...COUNTS, events: 112, daily: 110, quarter: 112, wide: 112 });
  const changed = describeCounts({ ...COUNTS, events: 112 });

  expect(first.message).toBe(
    "2026-11-20, ad_1 of ws_1, click (valid): events has 12, daily has 10, quarter has 12, wide has 12.",
  );
  expect(grown.signature).toBe(first.signature);
  expect(changed.signature).not.toBe(first.signature);
  expect(describeCounts({ ...COUNTS, wide: null }).message).toMatch(/quarter has 12\.$/);
});

it("compares counts a month at a time", async () => {
  const asked: string[] = [];
  const stats = {
    async countDifferences({ from, to }: { from: string; to: string }) {
      asked.push(`${from}..${to}`);
      return [{ ...COUNTS, day: from }];
    },
  };

  const found = await collect(compareCounts(stats, { from: "2026-10-30", to: "2026-12-02" }));

  expect(asked).toEqual(["2026-10-30..2026-10-31", "2026-11-01..2026-11-30", "2026-12-01..2026-12-02"]);
  expect(found).toHaveLength(3);
});

it("names ads and workspaces with counts that the database does not have, unless they were erased", () => {
  const page = [
    { workspaceId: "ws_1", adId: "ad_1" },
    { workspaceId: "ws_1", adId: "ad_2" },
    { workspaceId: "ws_2", adId: "ad_1" },
    { workspaceId: "ws_gone", adId: "ad_3" },
    { workspaceId: "ws_unknown", adId: "ad_4" },
  ];
  const known = {
    ads: new Set(["ws_1 ad_1"]),
    workspaces: new Set(["ws_1", "ws_2"]),
    erased: new Set(["ws_gone"]),
  };

  expect(unknownAds(page, known).map(({ message }) => message)).toEqual([
    "ad_2 of ws_1 has counts, and the database has no such ad.",
    "ad_1 of ws_2 has counts, and the database has no such ad.",
    "ws_unknown has counts, and the database has no such workspace.",
  ]);
});

it("finds nothing wrong with a log that is worked off, or that waits for the next start", () => {
  const state = { end: 9, committed: 9, lag: 0, intent: null, deadLetters: 0, note: null };

  expect(compareLog(state, [], true)).toEqual([]);
  expect(compareLog({ ...state, committed: 7, lag: 20, intent: 9 }, [], false)).toEqual([]);
});

it("names a log that ends before what was counted, that holds refused events, or that nobody works off", () => {
  const state = { end: 9, committed: 9, lag: 0, intent: null, deadLetters: 0, note: null };

  const [short] = compareLog({ ...state, end: 5 }, [], false);
  const [refused] = compareLog({ ...state, deadLetters: 3 }, [], true);
  const [waiting] = compareLog({ ...state, end: 11, lag: 20 }, [], true);
  const [moved] = compareLog({ ...state, end: 12, committed: 11, lag: 20 }, [], true);

  expect(compareLog(state, ["damaged"], false)).toEqual([{ signature: "damaged", message: "damaged" }]);
  expect(short?.message).toContain("up to batch 9 is marked as counted, and the log ends at batch 5");
  expect(refused?.message).toContain("has refused 3 events");
  expect(waiting?.message).toContain("20 events wait behind batch 9");
  expect(moved?.signature).not.toBe(waiting?.signature);
});

it("names each key without a file once, and finds the keys of a workspace's own in a text", async () => {
  const [own, other] = [newId("workspace"), newId("workspace")];
  const key = (workspaceId: string, digit: string) => `${workspaceId}/${digit.repeat(32)}.png`;
  const text = [key(own, "a"), key(own, "b"), key(own, "a"), key(other, "c")]
    .map((one) => `"https://x.example/uploads/${one}"`)
    .join(" ");
  const used = keysIn(text, own);
  async function* pages() {
    yield used;
    yield used;
  }
  const files = {
    find: async (asked: string) =>
      asked === key(own, "a") ? { contentType: "image/png" as const, contentLength: 1, version: "a" } : null,
  };

  const found = await collect(missingFiles(pages(), files));

  expect(used).toEqual([key(own, "a"), key(own, "b")]);
  expect(found.map(({ message }) => message)).toEqual([
    `The file ${key(own, "b")} is missing, and the database has it as uploaded.`,
  ]);
});
