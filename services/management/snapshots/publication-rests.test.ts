import { expect, it } from "vitest";
import { emptySnapshot, type Snapshot } from "#libs/placements/index.ts";
import { PublicationRests } from "./publication-rests.ts";

const WORKSPACE = "ws_1";

/** A snapshot of about that many bytes. */
function aSnapshot(bytes: number): Snapshot {
  const ad = {
    id: "ad_1",
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    clickUrl: null,
    faviconUrl: "",
    tierId: "tier_1",
    weight: 1,
    meta: { text: "x".repeat(bytes) },
    servingSince: 0,
    servingUntil: null,
  };
  return { ...emptySnapshot(WORKSPACE, 1), ads: [ad] };
}

function aClock() {
  const clock = { now: 0 };
  const rests = new PublicationRests(() => clock.now);
  const sent: Snapshot[] = [];
  const publish = (bytes: number) =>
    rests.publish(
      WORKSPACE,
      async () => aSnapshot(bytes),
      async (snapshot) => sent.push(snapshot),
    );
  return { clock, rests, sent, publish };
}

it("lets a workspace rest a second for each 4 MiB of its snapshot, and no other", async () => {
  const { clock, rests, sent, publish } = aClock();

  await publish(16 * 1024 * 1024);

  expect(sent).toHaveLength(1);
  expect(Math.floor(rests.waitMs(WORKSPACE))).toBe(4_000);
  expect(rests.waitMs("ws_2")).toBe(0);
  clock.now += 4_001;
  expect(rests.waitMs(WORKSPACE)).toBe(0);
});

it("asks no rest of an ordinary workspace, nor of one that is gone", async () => {
  const { rests, publish } = aClock();

  await publish(300_000);
  expect(rests.waitMs(WORKSPACE)).toBe(0);
  await rests.publish(
    WORKSPACE,
    async () => null,
    async () => expect.unreachable(),
  );
  expect(rests.waitMs(WORKSPACE)).toBe(0);
});

it("publishes no workspace twice at a time, and again at once after a failure", async () => {
  const { rests } = aClock();
  const away = Promise.withResolvers<null>();

  const publishing = rests.publish(
    WORKSPACE,
    () => away.promise,
    async () => undefined,
  );
  const meanwhile = rests.waitMs(WORKSPACE);
  away.reject(new Error("the database is away"));
  await publishing.catch(() => undefined);

  expect(meanwhile).toBe(100);
  expect(rests.waitMs(WORKSPACE)).toBe(0);
});
