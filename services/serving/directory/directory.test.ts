import { randomBytes } from "node:crypto";
import { Registry } from "prom-client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { type AddressKey, HttpError } from "#libs/http/index.ts";
import { createMemoryPlacements, NO_OWN_RULES, type Placements } from "#libs/placements/index.ts";
import { createServingMetrics } from "../answers/metrics.ts";
import { anAd, aSnapshot } from "../tests/builders.ts";
import { InMemorySource } from "../tests/in-memory-source.ts";
import { Directory, type DirectoryOptions } from "./directory.ts";

const HERE: AddressKey = "net 192.0.2.1";

/** A store whose messages can be lost and which can be away. */
function unreliable(inner: Placements) {
  const state = { isAway: false, losesMessages: false };
  const orAway = async <Answer>(answer: () => Promise<Answer>) => {
    if (state.isAway) throw new Error("the store is away");
    return answer();
  };
  const placements: Placements = {
    publish: (snapshot) => orAway(() => inner.publish(snapshot)),
    read: (workspaceId) => orAway(() => inner.read(workspaceId)),
    versions: (workspaceIds) => orAway(() => inner.versions(workspaceIds)),
    workspacesOfAds: (adIds) => orAway(() => inner.workspacesOfAds(adIds)),
    rememberAd: (adId, workspaceId) => orAway(() => inner.rememberAd(adId, workspaceId)),
    noteSeen: (sighting) => inner.noteSeen(sighting),
    onSeen: (tell) => inner.onSeen(tell),
    subscribe: (tell) => inner.subscribe((...news) => !state.losesMessages && tell(...news)),
    close: () => inner.close(),
  };
  return { placements, state };
}

/** A source that takes a moment for each snapshot, and how many it has been asked for at once. */
function aSlowSource() {
  const source = new InMemorySource([]);
  const atWork = { now: 0, most: 0 };
  const loaded: string[] = [];
  const load = source.loadSnapshot.bind(source);
  source.loadSnapshot = async (workspaceId) => {
    atWork.now += 1;
    atWork.most = Math.max(atWork.most, atWork.now);
    await new Promise((done) => setTimeout(done, 5));
    atWork.now -= 1;
    loaded.push(workspaceId);
    return await load(workspaceId);
  };
  return { source, loaded, atWork };
}

describe("directory", () => {
  function openDirectory(options: Partial<DirectoryOptions> = {}) {
    const registry = new Registry();
    const source = new InMemorySource([]);
    const placements = createMemoryPlacements();
    const directory = new Directory({
      placements,
      source,
      metrics: createServingMetrics(registry),
      onWarning: () => {},
      checkEveryMs: 60_000,
      ...options,
    });
    onTestFinished(() => directory.close());
    return { directory, source, placements, registry };
  }

  it("loads a workspace from the source once, however many ask, and puts it into the store", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    source.put(snapshot);

    const found = await Promise.all(
      Array.from({ length: 50 }, () => directory.find(snapshot.workspaceId, HERE)),
    );

    expect(new Set(found).size).toBe(1);
    expect(found[0]?.version).toBe(1);
    expect(source.loads).toBe(1);
    expect(await placements.read(snapshot.workspaceId)).toEqual(snapshot);
  });

  it("loads a bounded number of large snapshots a minute for one network, and those of others", async () => {
    const { directory, source } = openDirectory();
    const text = "x".repeat(5 * 1024 * 1024);
    const large = Array.from({ length: 30 }, () => aSnapshot({ ads: [anAd({ meta: { text } })] }));
    const small = Array.from({ length: 30 }, () => aSnapshot());
    for (const snapshot of [...large, ...small]) source.put(snapshot);
    const askAll = async (snapshots: typeof large, caller: AddressKey) => {
      const answers = [];
      for (const { workspaceId } of snapshots)
        answers.push(await directory.find(workspaceId, caller).catch(({ code }: HttpError) => code));
      return answers;
    };

    const unknown = await directory.findAd(large.at(-1)?.ads[0]?.id ?? "", "net 192.0.2.9");
    const answers = await askAll(large, "net 192.0.2.1");
    const many = await askAll(small, "net 192.0.2.2");

    expect(unknown).not.toBeNull();
    expect(answers).toContain("TOO_MANY_REQUESTS");
    expect(source.loads).toBeLessThan(15 + small.length);
    expect(many).not.toContain("TOO_MANY_REQUESTS");

    const before = source.loads;
    await directory.findAds(
      large.map(({ ads }) => ads[0]?.id ?? ""),
      "net 192.0.2.3",
    );
    expect(source.loads - before).toBeLessThan(15);
  });

  it("leaves the event loop to others while it prepares a large snapshot, and misses none that comes meanwhile", async () => {
    const { directory, source, placements } = openDirectory();
    const text = randomBytes(10_000).toString("hex");
    const snapshot = aSnapshot({ ads: Array.from({ length: 700 }, () => anAd({ meta: { text } })) });
    source.put(snapshot);
    let rounds = 0;
    const count = () => {
      rounds += 1;
      if (rounds === 3) void placements.publish({ ...snapshot, version: 2 });
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    onTestFinished(() => clearImmediate(next));

    const found = await directory.find(snapshot.workspaceId, HERE);

    expect(found?.version).toBe(1);
    expect(rounds).toBeGreaterThan(3);
    await expect.poll(() => directory.cached(snapshot.workspaceId)?.version).toBe(2);
  });

  it("loads two workspaces at a time and one for each caller, and all in the end", async () => {
    const { source, loaded, atWork } = aSlowSource();
    const { directory } = openDirectory({ source });
    const snapshots = Array.from({ length: 20 }, () => aSnapshot());
    const others = [aSnapshot(), aSnapshot()];
    for (const snapshot of [...snapshots, ...others]) source.put(snapshot);
    const callers: AddressKey[] = ["net 192.0.2.9", "net 192.0.2.17"];

    const many = snapshots.map(({ workspaceId }) => directory.find(workspaceId, HERE));
    await Promise.all(others.map(({ workspaceId }, n) => directory.find(workspaceId, callers[n] ?? HERE)));
    const before = loaded.length;

    expect((await Promise.all(many)).filter((one) => one !== null)).toHaveLength(20);
    expect(atWork.most).toBe(2);
    expect(before).toBeLessThan(7);
  });

  it.each([
    ["caller", (_n: number): AddressKey => HERE],
    ["site with many networks", (n: number): AddressKey => `net 2001:db8:1:${n + 1}::/64`],
  ])("lets nobody wait behind the many workspaces that a %s asks for", async (_who, callerOf) => {
    const { source, loaded } = aSlowSource();
    const { directory, placements } = openDirectory({ source });
    const read = vi.spyOn(placements, "read");
    const snapshots = Array.from({ length: 20 }, () => aSnapshot());
    for (const snapshot of snapshots) source.put(snapshot);
    const last = snapshots.at(-1)?.workspaceId ?? "";

    const many = snapshots.map(({ workspaceId }, n) => directory.find(workspaceId, callerOf(n)));
    const found = await directory.find(last, "net 192.0.2.9");
    const before = loaded.length;

    expect(found?.workspaceId).toBe(last);
    expect(before).toBeLessThan(5);
    expect((await Promise.all(many)).filter((one) => one !== null)).toHaveLength(20);
    expect(read.mock.calls.filter(([one]) => one === last)).toHaveLength(1);
  });

  it("shares what another caller loads with one who waits for others", async () => {
    const { source, loaded } = aSlowSource();
    const { directory } = openDirectory({ source });
    const snapshots = Array.from({ length: 20 }, () => aSnapshot());
    const other = aSnapshot();
    for (const snapshot of [...snapshots, other]) source.put(snapshot);

    const many = snapshots.map(({ workspaceId }) => directory.find(workspaceId, HERE));
    const theirs = directory.find(other.workspaceId, "net 192.0.2.9");
    await new Promise((done) => setImmediate(done));
    await Promise.all([theirs, directory.find(other.workspaceId, HERE)]);

    expect(loaded.length).toBeLessThan(5);
    await Promise.all(many);
  });

  it("parses nothing of large snapshots that anybody asks for in turn, and refuses nobody", async () => {
    const { directory, source } = openDirectory();
    const text = "x".repeat(1024 * 1024);
    const large = Array.from({ length: 20 }, () =>
      aSnapshot({ ads: Array.from({ length: 5 }, () => anAd({ meta: { text } })) }),
    );
    for (const snapshot of large) source.put(snapshot);
    for (const [n, { workspaceId }] of large.entries())
      await directory.find(workspaceId, `net 198.51.100.${n}`);
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());

    const asked = Array.from({ length: 30 }, () => large).flat();
    const found = await Promise.all(
      asked.map(({ workspaceId }) => directory.find(workspaceId, "net 192.0.2.1")),
    );

    expect(found.map((snapshot) => snapshot?.ads.length)).toEqual(asked.map(() => 5));
    expect(parse).not.toHaveBeenCalled();
  });

  it("keeps no caller waiting for an engine that is frozen, and has what it asked for once it is woken", async () => {
    const source = new InMemorySource([]);
    const snapshot = aSnapshot();
    source.put(snapshot);
    const frozen = Promise.withResolvers<void>();
    const load = source.loadSnapshot.bind(source);
    vi.spyOn(source, "loadSnapshot").mockImplementation(async (id) => {
      await frozen.promise;
      return load(id);
    });
    const { directory } = openDirectory({ source, answersWithinMs: 20 });

    const refused = await directory.find(snapshot.workspaceId, HERE).catch((error: unknown) => error);
    frozen.resolve();
    await vi.waitUntil(() => directory.cached(snapshot.workspaceId) !== undefined, { timeout: 10_000 });

    expect(refused).toBeInstanceOf(HttpError);
    expect(refused).toMatchObject({ status: 503 });
  });

  it("does not ask the source for what the store has", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot({ version: 5 });
    await placements.publish(snapshot);

    expect((await directory.find(snapshot.workspaceId, HERE))?.version).toBe(5);

    expect(source.loads).toBe(0);
  });

  it("remembers for a while what does not exist, and asks for no malformed id at all", async () => {
    const { directory, source } = openDirectory();
    const [workspaceId, adId] = [newId("workspace"), newId("ad")];

    for (let asked = 0; asked < 3; asked += 1) {
      expect(await directory.find(workspaceId, HERE)).toBeNull();
      expect(await directory.findAd(adId, HERE)).toBeNull();
      expect(await directory.find("ws_\u0000", HERE)).toBeNull();
      expect(await directory.findAd("", HERE)).toBeNull();
    }

    expect([source.loads, source.searches]).toEqual([1, 1]);
  });

  it("knows what did not exist as soon as it is published", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    const adId = snapshot.ads[0]?.id ?? "";
    expect(await directory.find(snapshot.workspaceId, HERE)).toBeNull();
    expect(await directory.findAd(adId, HERE)).toBeNull();

    source.put(snapshot);
    await placements.publish(snapshot);

    expect(await directory.find(snapshot.workspaceId, HERE)).not.toBeNull();
    expect(await directory.findAd(adId, HERE)).toMatchObject({ id: adId, workspaceId: snapshot.workspaceId });
  });

  it("returns the workspace of an ad to a store that has lost it", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    const adId = snapshot.ads[0]?.id ?? "";
    source.put(snapshot);
    await placements.publish({ ...snapshot, ads: [] });

    await directory.findAd(adId, HERE);

    expect((await placements.workspacesOfAds([adId])).get(adId)).toBe(snapshot.workspaceId);
  });

  it("replaces a cached snapshot by a newer version that is published, never by an older one", async () => {
    const { directory, placements } = openDirectory();
    const snapshot = aSnapshot({ version: 2 });
    await placements.publish(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    await placements.publish({ ...snapshot, version: 1 });
    await placements.publish({ ...snapshot, version: 3 });

    await vi.waitFor(() => expect(directory.cached(snapshot.workspaceId)?.version).toBe(3), 20_000);
  });

  it("takes a version that is published while an older one is being loaded", async () => {
    const snapshot = aSnapshot({ version: 1 });
    const { promise: loaded, resolve: letLoad } = Promise.withResolvers<void>();
    const source = new InMemorySource([snapshot]);
    const { directory, placements } = openDirectory({
      source: {
        versions: (workspaceIds) => source.versions(workspaceIds),
        workspacesAfter: (after, count) => source.workspacesAfter(after, count),
        workspacesOfAds: (adIds) => source.workspacesOfAds(adIds),
        loadSnapshot: async (workspaceId) => {
          const old = await source.loadSnapshot(workspaceId);
          await loaded;
          return old;
        },
      },
    });

    const finding = directory.find(snapshot.workspaceId, HERE);
    await vi.waitFor(() => expect(source.loads).toBe(1), 20_000);
    await placements.publish({ ...snapshot, version: 2 });
    letLoad();

    expect((await finding)?.version).toBe(2);
  });

  it("heals a lost message by checking versions", async () => {
    const { placements, state } = unreliable(createMemoryPlacements());
    const { directory } = openDirectory({ placements, checkEveryMs: 10 });
    const snapshot = aSnapshot();
    await placements.publish(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    state.losesMessages = true;
    await placements.publish({ ...snapshot, version: 2 });

    await vi.waitFor(() => expect(directory.cached(snapshot.workspaceId)?.version).toBe(2), 20_000);
  });

  it("publishes the source's snapshot to a store that has lost it", async () => {
    const stores = [createMemoryPlacements(), createMemoryPlacements()] as const;
    let current: Placements = stores[0];
    const { directory, source } = openDirectory({
      checkEveryMs: 10,
      placements: {
        publish: (snapshot) => current.publish(snapshot),
        read: (workspaceId) => current.read(workspaceId),
        versions: (workspaceIds) => current.versions(workspaceIds),
        workspacesOfAds: (adIds) => current.workspacesOfAds(adIds),
        rememberAd: (adId, workspaceId) => current.rememberAd(adId, workspaceId),
        noteSeen: () => {},
        onSeen: () => () => {},
        subscribe: () => () => {},
        close: async () => {},
      },
    });
    const snapshot = aSnapshot();
    source.put(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    current = stores[1];

    await vi.waitFor(
      async () => expect(await stores[1].read(snapshot.workspaceId)).toEqual(snapshot),
      20_000,
    );
  });

  it("publishes the source's snapshot to a store that is back with an older one", async () => {
    const snapshot = aSnapshot({ version: 7 });
    const placements = createMemoryPlacements();
    const { directory, source } = openDirectory({ placements, checkEveryMs: 10 });
    source.put(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    await placements.close();
    await placements.publish({ ...snapshot, version: 5 });

    await vi.waitFor(
      async () => expect((await placements.read(snapshot.workspaceId))?.version).toBe(7),
      20_000,
    );
    expect(directory.cached(snapshot.workspaceId)?.version).toBe(7);
  });

  it("follows a database that was restored from a backup, once the store has been emptied", async () => {
    const snapshot = aSnapshot({ version: 7 });
    const placements = createMemoryPlacements();
    const { directory, source } = openDirectory({ placements, checkEveryMs: 10 });
    source.put(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    source.put({ ...snapshot, version: 5 });
    await placements.close();
    await placements.publish({ ...snapshot, version: 5 });

    await vi.waitFor(() => expect(directory.cached(snapshot.workspaceId)?.version).toBe(5), 20_000);
  });

  it("follows the source while the store is away", async () => {
    const { placements, state } = unreliable(createMemoryPlacements());
    const { directory, source, registry } = openDirectory({ placements, checkEveryMs: 10 });
    const snapshot = aSnapshot();
    source.put(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    state.isAway = true;
    source.put({ ...snapshot, version: 2 });

    await vi.waitFor(() => expect(directory.cached(snapshot.workspaceId)?.version).toBe(2), 20_000);
    await vi.waitFor(
      async () => expect(await registry.metrics()).toContain("placard_serving_snapshots_stale 0"),
      20_000,
    );
  });

  it("finds the workspace of an ad in the store while the source is away", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    const adId = snapshot.ads[0]?.id ?? "";
    await placements.publish(snapshot);
    source.isAway = true;

    expect(await directory.findAd(adId, HERE)).toMatchObject({ id: adId, workspaceId: snapshot.workspaceId });
  });

  it("still serves what is cached while store and source are away, and reports it in a metric", async () => {
    const { placements, state } = unreliable(createMemoryPlacements());
    const { directory, source, registry } = openDirectory({ placements, checkEveryMs: 10 });
    const snapshot = aSnapshot();
    const adId = snapshot.ads[0]?.id ?? "";
    source.put(snapshot);
    await directory.find(snapshot.workspaceId, HERE);

    state.isAway = true;
    source.isAway = true;

    await vi.waitFor(
      async () => expect(await registry.metrics()).toContain("placard_serving_snapshots_stale 1"),
      20_000,
    );
    expect((await directory.find(snapshot.workspaceId, HERE))?.version).toBe(1);
    expect(await directory.findAd(adId, HERE)).toMatchObject({ id: adId });
    state.isAway = false;
    await vi.waitFor(
      async () => expect(await registry.metrics()).toContain("placard_serving_snapshots_stale 0"),
      20_000,
    );
  });

  it("works from the source alone while the store is away", async () => {
    const { placements, state } = unreliable(createMemoryPlacements());
    const { directory, source } = openDirectory({ placements });
    const snapshot = aSnapshot();
    source.put(snapshot);
    state.isAway = true;

    expect((await directory.find(snapshot.workspaceId, HERE))?.version).toBe(1);
  });

  it("is unavailable, not empty, when a first load fails", async () => {
    const { directory, source } = openDirectory();
    source.isAway = true;

    for (const search of [
      () => directory.find(newId("workspace"), HERE),
      () => directory.findAd(newId("ad"), HERE),
    ]) {
      const error: unknown = await search().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(HttpError);
      expect(error).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    }
  });

  it("caches what the store has of a question while the source is away that would know the rest", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    const [known, other] = [snapshot.ads[0]?.id ?? "", newId("ad")];
    await placements.publish(snapshot);
    source.isAway = true;

    await expect(directory.findAds([other, known], HERE)).rejects.toMatchObject({ status: 503 });

    expect(directory.cachedAd(known)?.workspaceId).toBe(snapshot.workspaceId);
    source.isAway = false;
    source.put({ ...snapshot, ads: [...snapshot.ads, { ...anAd(), id: other }] });
    expect(await directory.findAd(other, HERE)).not.toBeNull();
  });

  it("distinguishes an ad made since the last snapshot from one that does not exist", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    const fresh = anAd();
    await placements.publish(snapshot);
    source.put({ ...snapshot, ads: [...snapshot.ads, fresh] });

    const found = [await directory.findAd(fresh.id, HERE), await directory.findAd(fresh.id, HERE)];

    expect(found[0]).toEqual({
      id: fresh.id,
      workspaceId: snapshot.workspaceId,
      servedUntil: Number.NEGATIVE_INFINITY,
      rules: NO_OWN_RULES,
    });
    expect(found[1]).toBe(found[0]);
    expect(source.searches).toBe(1);
  });

  it("reads the snapshot once, however many ads are asked for that nobody has approved", async () => {
    const placements = createMemoryPlacements();
    const read = vi.spyOn(placements, "read");
    const { directory, source } = openDirectory({ placements });
    const snapshot = aSnapshot({ requireProof: true });
    const pending = Array.from({ length: 20 }, () => anAd());
    await placements.publish(snapshot);
    source.put({ ...snapshot, ads: pending });

    for (const { id } of pending) {
      expect(await directory.findAd(id, HERE)).toMatchObject({
        id,
        servedUntil: Number.NEGATIVE_INFINITY,
        rules: { requireProof: true },
      });
    }

    expect(read).toHaveBeenCalledTimes(1);
  });

  it("asks once for a hundred ads, and counts those that do not exist to the caller", async () => {
    const { directory, source } = openDirectory();
    const unknown = Array.from({ length: 1_000 }, () => newId("ad"));

    const found = await directory.findAds(unknown, HERE);

    expect(found).toEqual(new Map());
    expect(source.searches).toBe(2);
    const others = await directory.findAds([newId("ad")], "net 192.0.2.10");
    expect(others).toEqual(new Map());
    expect(source.searches).toBe(3);
  });

  it("finds a thousand ads that exist for one caller, of two workspaces, with what no snapshot has", async () => {
    const { directory, source, placements } = openDirectory();
    const [one, other] = [0, 1].map(() => aSnapshot({ ads: Array.from({ length: 500 }, () => anAd()) }));
    const pending = Array.from({ length: 50 }, () => anAd());
    if (one === undefined || other === undefined) return expect.fail();
    for (const snapshot of [one, other]) await placements.publish(snapshot);
    source.put({ ...other, ads: [...other.ads, ...pending] });
    const ids = [...one.ads, ...pending, ...other.ads].map(({ id }) => id);

    const found = await directory.findAds(ids, HERE);

    expect(new Set(found.keys())).toEqual(new Set(ids));
    for (const { id } of pending) expect(found.get(id)?.workspaceId).toBe(other.workspaceId);
    expect((await directory.findAds([newId("ad")], HERE)).size).toBe(0);
    expect(source.searches).toBe(2);
  });

  it("takes no ad for unknown that others in the same question push out of its memory", async () => {
    const { directory, source, placements } = openDirectory();
    const snapshot = aSnapshot();
    const pending = Array.from({ length: 20_000 }, () => anAd());
    await placements.publish(snapshot);
    source.put({ ...snapshot, ads: pending });
    const ids = pending.map(({ id }) => id);
    await directory.findAds(ids, HERE);
    const later = Array.from({ length: 99 }, () => anAd());
    source.put({ ...snapshot, ads: [...pending, ...later] });
    // What is remembered of ads without a snapshot goes, the workspace of each stays.
    await placements.publish({ ...snapshot, version: snapshot.version + 1 });

    const asked = [...ids.slice(0, 1), ...later.map(({ id }) => id)];

    expect([...(await directory.findAds(asked, HERE)).keys()]).toEqual(asked);
  });

  it("knows that an ad was approved as soon as it is published, also if the message is lost", async () => {
    const { placements, state } = unreliable(createMemoryPlacements());
    const { directory, source } = openDirectory({ placements });
    const snapshot = aSnapshot();
    const [known, lost] = [anAd(), anAd()];
    await placements.publish(snapshot);
    source.put({ ...snapshot, ads: [known, lost] });
    const before = await directory.findAd(known.id, HERE);

    await placements.publish({ ...snapshot, version: 2, ads: [...snapshot.ads, known] });
    const approved = await directory.findAd(known.id, HERE);
    state.losesMessages = true;
    await placements.publish({ ...snapshot, version: 3, ads: [...snapshot.ads, known, lost] });
    const unheard = await directory.findAd(lost.id, HERE);

    expect(before?.servedUntil).toBe(Number.NEGATIVE_INFINITY);
    expect([approved?.servedUntil, unheard?.servedUntil]).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
