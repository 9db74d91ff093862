import { afterEach, describe, expect, it } from "vitest";
import { servedAds } from "#libs/contract/serving.ts";
import { newKey } from "#libs/domain/api-key.ts";
import type { Snapshot } from "#libs/placements/index.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
/** The bytes of an answer to a page that asks for no proof, as every release has sent them. */
const PLAIN =
  '{"ads":[{"id":"AD","name":"Northwind Coffee","websiteUrl":"https://northwind.example","faviconUrl":"","weight":1,"meta":{"tagline":"Roasted this morning"}}]}';

let rigs: ServingRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
});

async function open(options: RigOptions = {}): Promise<ServingRig> {
  const rig = await openRig({ now: () => NOON, ...options });
  rigs = [...rigs, rig];
  return rig;
}

function ask(rig: ServingRig, snapshot: Snapshot, query = "", headers: Record<string, string> = {}) {
  return fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/ads/serving${query}`, { headers });
}

async function proofsOf(
  rig: ServingRig,
  snapshot: Snapshot,
  query = "?proof=1",
): Promise<Map<string, string>> {
  const { ads } = servedAds.parse(await (await ask(rig, snapshot, query)).json());
  return new Map(ads.map(({ id, proof = "" }) => [id, proof]));
}

async function proofOf(rig: ServingRig, snapshot: Snapshot): Promise<string> {
  return (await proofsOf(rig, snapshot)).get(snapshot.ads[0]?.id ?? "") ?? "";
}

const adOf = (snapshot: Snapshot) => snapshot.ads[0]?.id ?? "";

function report(rig: ServingRig, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "user-agent": FIREFOX, ...init.headers };
  return fetch(`${rig.url}/ads/${path}`, { method: "POST", redirect: "manual", ...init, headers });
}

async function verdicts(rig: ServingRig): Promise<unknown[]> {
  return (await rig.storedEvents()).map(({ verdict }) => verdict);
}

describe("ads that are asked for with proof=1", () => {
  it("come with a proof each, and are otherwise the same", async () => {
    const snapshot = aSnapshot({ ads: Array.from({ length: 20 }, () => anAd()) });
    const rig = await open({ snapshots: [snapshot] });

    const plain = servedAds.parse(await (await ask(rig, snapshot, "?count=50")).json());
    const proven = servedAds.parse(await (await ask(rig, snapshot, "?count=50&proof=1")).json());

    expect(proven.ads.map(({ proof: _proof, ...ad }) => ad)).toEqual(plain.ads);
    expect(new Set(proven.ads.map(({ proof }) => proof)).size).toBe(20);
    for (const { proof } of proven.ads) expect(proof).toMatch(/^[\w-]{22}$/);
  });

  it("have the bytes that they always had without it", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    const rig = await open({ snapshots: [snapshot] });

    const before = await ask(rig, snapshot);
    await ask(rig, snapshot, "?proof=1");
    const after = await ask(rig, snapshot);

    const expected = PLAIN.replace("AD", adOf(snapshot));
    expect([await before.text(), await after.text()]).toEqual([expected, expected]);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  });

  it("are cached by browsers and proxies as without it, and to the end of the window at most", async () => {
    const snapshot = aSnapshot();
    let now = NOON;
    const rig = await open({ snapshots: [snapshot], now: () => now });
    const cachingAt = async (later: number, query: string) => {
      now = NOON + later;
      return (await ask(rig, snapshot, query)).headers.get("cache-control");
    };

    for (const later of [0, 30_000, 56_000, 59_999])
      expect(await cachingAt(later, "?proof=1")).toBe(await cachingAt(later, ""));
    const first = await ask(rig, snapshot, "?proof=1");
    const etag = first.headers.get("etag") ?? "";
    expect((await ask(rig, snapshot, "?proof=1", { "if-none-match": etag })).status).toBe(304);
    now = NOON + MINUTE;
    expect((await ask(rig, snapshot, "?proof=1", { "if-none-match": etag })).status).toBe(200);
  });

  it("have the same proofs for everybody, in every process and with every filter, until the window ends", async () => {
    const snapshot = aSnapshot({ ads: Array.from({ length: 5 }, () => anAd()) });
    let now = NOON;
    const [one, other] = [
      await open({ snapshots: [snapshot], now: () => now }),
      await open({ snapshots: [{ ...snapshot, version: 2 }], now: () => now + 900 }),
    ];

    const first = await proofsOf(one, snapshot, "?count=5&proof=1");
    now = NOON + 59_000;
    const filtered = await proofsOf(other, snapshot, "?proof=1&count=50&weight[gte]=0");
    now = NOON + MINUTE;
    const next = await proofsOf(one, snapshot, "?count=5&proof=1");

    expect(Object.fromEntries(filtered)).toEqual(Object.fromEntries(first));
    for (const [id, proof] of next) expect(proof).not.toBe(first.get(id));
  });

  it("are refused with 422 where proof is anything but 1", async () => {
    const snapshot = aSnapshot();
    const rig = await open({ snapshots: [snapshot] });

    for (const value of ["0", "2", "", "true", "01", "1%20"]) {
      const answer = await ask(rig, snapshot, `?proof=${value}`);

      expect(answer.status, value).toBe(422);
      expect(await answer.json()).toMatchObject({
        data: { fieldErrors: { proof: ["Must be 1, or left out."] } },
      });
    }
  });
});

describe("in a workspace that asks for proof", () => {
  it("an event counts with the proof of its ad, by every endpoint", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    const rig = await open({ snapshots: [snapshot] });
    const proof = await proofOf(rig, snapshot);
    const ad = adOf(snapshot);

    for (const path of ["impressions", "clicks"]) await report(rig, `${ad}/${path}?proof=${proof}`);
    // With a body, as by sendBeacon, which goes another way through the server.
    await report(rig, `${ad}/clicks?proof=${proof}`, { body: "beacon" });
    for (const path of ["impression.gif", "click"])
      await report(rig, `${ad}/${path}?proof=${proof}`, { method: "GET" });

    expect(await verdicts(rig)).toEqual(["valid", "valid", "valid", "valid", "valid"]);
  });

  it("an event without one is unproven, by every endpoint, and its answer does not tell", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    const rig = await open({ snapshots: [snapshot] });
    const ad = adOf(snapshot);
    await proofOf(rig, snapshot);

    const answers = [
      await report(rig, `${ad}/impressions`),
      await report(rig, `${ad}/clicks?proof=`, { body: "beacon" }),
    ];
    const pixel = await report(rig, `${ad}/impression.gif`, { method: "GET" });
    const click = await report(rig, `${ad}/click`, { method: "GET" });

    for (const answer of answers) expect(await answer.json()).toEqual({ success: true });
    expect([pixel.status, click.status, click.headers.get("location")]).toEqual([
      200,
      302,
      "https://northwind.example/",
    ]);
    expect(await verdicts(rig)).toEqual(["unproven", "unproven", "unproven", "unproven"]);
  });

  it("no proof is ever refused, whatever it is", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    const rig = await open({ snapshots: [snapshot] });
    const proof = await proofOf(rig, snapshot);
    const hostile = [
      "proof",
      "proof=x",
      `proof=${"A".repeat(8_000)}`,
      `proof=x&proof=${proof}`,
      `proof[]=${proof}`,
      `proof[a][b]=${proof}`,
      "proof=%00%ff%zz",
      "proof=../../x",
      `%70roof=${proof}`,
      `PROOF=${proof}`,
      "&&&=&",
      "__proto__[proof]=1",
    ];

    for (const query of hostile) {
      for (const body of [null, "beacon"]) {
        const answer = await report(rig, `${adOf(snapshot)}/impressions?${query}`, { body });
        expect([answer.status, await answer.json()], query).toEqual([200, { success: true }]);
      }
    }

    expect(new Set(await verdicts(rig))).toEqual(new Set(["unproven"]));
  });

  it("a proof of another ad, another workspace or an old window is none", async () => {
    const snapshot = aSnapshot({ requireProof: true, ads: [anAd(), anAd()] });
    const elsewhere = aSnapshot({ requireProof: true });
    let now = NOON;
    const rig = await open({ snapshots: [snapshot, elsewhere], now: () => now });
    const [[ad = "", proof] = [], [, ofOther] = []] = [
      ...(await proofsOf(rig, snapshot, "?count=2&proof=1")),
    ];

    await report(rig, `${ad}/impressions?proof=${ofOther}`);
    await report(rig, `${ad}/impressions?proof=${await proofOf(rig, elsewhere)}`);
    now = NOON + 16 * MINUTE - 1;
    await report(rig, `${ad}/impressions?proof=${proof}`);
    now = NOON + 17 * MINUTE;
    await report(rig, `${ad}/impressions?proof=${proof}`);

    expect(await verdicts(rig)).toEqual(["unproven", "unproven", "valid", "unproven"]);
  });

  it("a proof counts whose process has a clock that is a minute behind or ahead", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    let now = NOON;
    const rig = await open({ snapshots: [snapshot], now: () => now });

    for (const skew of [-MINUTE, MINUTE]) {
      now = NOON + skew;
      const proof = await proofOf(rig, snapshot);
      now = NOON;
      await report(rig, `${adOf(snapshot)}/impressions?proof=${proof}`);
    }

    expect(await verdicts(rig)).toEqual(["valid", "valid"]);
  });

  it("an unproven event makes no proven one of its visitor a duplicate", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    const rig = await open({ snapshots: [snapshot], limits: { impressionWindowMs: 10_000 } });
    const proof = await proofOf(rig, snapshot);

    await report(rig, `${adOf(snapshot)}/impressions`);
    await report(rig, `${adOf(snapshot)}/impressions?proof=${proof}`);
    await report(rig, `${adOf(snapshot)}/impressions`);
    await report(rig, `${adOf(snapshot)}/impressions?proof=${proof}`);

    expect(await verdicts(rig)).toEqual(["unproven", "valid", "unproven", "duplicate"]);
  });

  it("what an event is without the setting it stays: bot, prefetch or not serving", async () => {
    const [running, ended] = [anAd(), anAd({ servingUntil: NOON - 16 * MINUTE })];
    const rig = await open({ snapshots: [aSnapshot({ requireProof: true, ads: [running, ended] })] });

    await report(rig, `${running.id}/impressions`, { headers: { "user-agent": "curl/8.5.0" } });
    await report(rig, `${running.id}/impressions`, { headers: { purpose: "prefetch" } });
    await report(rig, `${ended.id}/impressions`);

    expect(await verdicts(rig)).toEqual(["bot", "prefetch", "not_serving"]);
  });

  it("events of a server need none, for its key proves more", async () => {
    const key = newKey("tracking");
    const snapshot = aSnapshot({ requireProof: true, trackingKeys: [key.hash.toString("base64url")] });
    const rig = await open({ snapshots: [snapshot] });

    const answer = await fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/events`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key.key}` },
      body: JSON.stringify({ events: [{ adId: adOf(snapshot), kind: "click" }] }),
    });

    expect(answer.status).toBe(200);
    expect(await verdicts(rig)).toEqual(["valid"]);
  });

  it("turning the setting off and on takes effect with the next snapshot", async () => {
    const snapshot = aSnapshot({ requireProof: true });
    const rig = await open({ snapshots: [snapshot], checkEveryMs: 10 });
    const ad = adOf(snapshot);
    await report(rig, `${ad}/impressions`);
    await rig.placements.publish({ ...snapshot, version: 2, requireProof: false });

    await expect
      .poll(
        async () => {
          await report(rig, `${ad}/impressions`);
          return (await verdicts(rig)).at(-1);
        },
        { timeout: 20_000 },
      )
      .toBe("valid");
  });
});

it("an event counts without proof, and with any, where the workspace does not ask for one", async () => {
  const snapshot = aSnapshot();
  const rig = await open({ snapshots: [snapshot] });
  const proof = await proofOf(rig, snapshot);

  for (const query of ["", "?proof=x", `?proof=${proof}`, "?other=1"]) {
    await report(rig, `${adOf(snapshot)}/impressions${query}`);
    await report(rig, `${adOf(snapshot)}/clicks${query}`, { body: "beacon" });
  }

  expect(new Set(await verdicts(rig))).toEqual(new Set(["valid"]));
});
