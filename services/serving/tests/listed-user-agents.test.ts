import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { newKey } from "#libs/domain/api-key.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openUserAgentList, readBrowsers, readRobots } from "../verdict/user-agent-lists.ts";
import { createUserAgents } from "../verdict/user-agents.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type ServingRig } from "./serving-rig.ts";

const ad = anAd();
const tracking = newKey("tracking");
const snapshot = aSnapshot({ ads: [ad], trackingKeys: [tracking.hash.toString("base64url")] });

// Made up: the licensed list has others. What is known without lists leaves all of these alone.
const BROWSERS = "Mozilla/5.0 (X11|1|1\nWanderer (|1|1\nOldie|0|1|01/31/2020\n";
const ROBOTS = "watchful|1|Watchful Eyes|0|2|0\nNightly|1||1|2|1\nfirefox|0||0|2|0|01/31/2020\n";
const WANDERER = "Wanderer (Tin; Linux) Web/3";
const WATCHFUL = `${WANDERER} WATCHFUL`;
const EYES = `${WANDERER} watchful eyes`;
const NIGHTLY = "Nightly (Tin; Linux) Web/3";
const OLDIE = "Oldie (Tin; Linux) Web/3";
const NOBODY = "Nobody (Tin; Linux) Web/3";
const CRAWLER = "Mozilla/5.0 (X11; compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const GMAIL = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";

/** A service with these lists in files, and the function that replaces the list of robots. */
async function open(lists: { readonly browsers?: string; readonly robots?: string }) {
  const folder = await aFolder();
  const userAgents = createUserAgents();
  const sourceOf = async (setting: string, list: string) => {
    const file = join(folder, setting);
    await writeFile(file, list);
    return { file, setting, onWarning: () => undefined, checkEveryMs: 5 };
  };
  if (lists.browsers !== undefined) {
    const source = await sourceOf("BROWSERS_FILE", lists.browsers);
    const file = await openUserAgentList(source, readBrowsers, (browsers) => userAgents.use({ browsers }));
    onTestFinished(() => file.close());
  }
  if (lists.robots !== undefined) {
    const source = await sourceOf("ROBOTS_FILE", lists.robots);
    const file = await openUserAgentList(source, readRobots, (robots) => userAgents.use({ robots }));
    onTestFinished(() => file.close());
  }
  const rig = await openRig({ snapshots: [snapshot], userAgents });
  onTestFinished(() => rig.close());
  return {
    rig,
    async replaceRobots(list: string) {
      await writeFile(join(folder, "new"), list);
      await rename(join(folder, "new"), join(folder, "ROBOTS_FILE"));
    },
  };
}

async function visit({ url }: ServingRig, ...userAgents: string[]): Promise<void> {
  for (const userAgent of userAgents) {
    await fetch(`${url}/ads/${ad.id}/impressions`, { method: "POST", headers: { "user-agent": userAgent } });
  }
}

async function verdicts(rig: ServingRig) {
  return (await rig.storedEvents()).map(({ verdict }) => verdict);
}

it("takes what is no browser, then what is a robot, for a bot", async () => {
  const { rig } = await open({ browsers: BROWSERS, robots: ROBOTS });

  await visit(rig, FIREFOX, WANDERER, WANDERER.toUpperCase(), `A ${WANDERER}`, OLDIE, NOBODY);
  await visit(rig, WATCHFUL, EYES, NIGHTLY);

  expect(await verdicts(rig)).toEqual([
    ...["valid", "valid", "valid", "bot", "bot", "bot"],
    ...["bot", "valid", "bot"],
  ]);
});

it("needs more of the list of robots where there is none of browsers", async () => {
  const { rig } = await open({ robots: `${ROBOTS}wanderer|1||1|2|0\n` });

  await visit(rig, FIREFOX, NOBODY, WANDERER, WATCHFUL, NIGHTLY, `My ${NIGHTLY}`);

  expect(await verdicts(rig)).toEqual(["valid", "valid", "bot", "bot", "bot", "valid"]);
});

it("leaves to the second pass only what it needs where there is a list of browsers", async () => {
  const { rig } = await open({ browsers: BROWSERS, robots: `${ROBOTS}wanderer|1||1|2|0\n` });

  await visit(rig, WANDERER, WATCHFUL);

  expect(await verdicts(rig)).toEqual(["valid", "bot"]);
});

it("takes only what no list of browsers has for a bot where there is none of robots", async () => {
  const { rig } = await open({ browsers: BROWSERS });

  await visit(rig, WATCHFUL, NIGHTLY);

  expect(await verdicts(rig)).toEqual(["valid", "bot"]);
});

it("keeps what is known without the lists, and reads no more of a user agent", async () => {
  const { rig } = await open({ browsers: BROWSERS, robots: ROBOTS });

  await visit(rig, CRAWLER, GMAIL, "Mozilla/5.0", `${WANDERER.padEnd(600)}Watchful`);

  expect(await verdicts(rig)).toEqual(["bot", "prefetch", "prefetch", "valid"]);
});

it("judges what servers report by the lists, and believes one that names no user agent", async () => {
  const { rig } = await open({ browsers: BROWSERS, robots: ROBOTS });
  const event = { adId: ad.id, kind: "impression" };

  const response = await fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/events`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tracking.key}` },
    body: JSON.stringify({
      events: [event, ...[WANDERER, WATCHFUL, NOBODY].map((userAgent) => ({ ...event, userAgent }))],
    }),
  });

  expect(await response.json()).toEqual({ accepted: 4, refused: [] });
  expect(await verdicts(rig)).toEqual(["valid", "valid", "bot", "bot"]);
});

it("judges a user agent again once a file has changed", async () => {
  const { rig, replaceRobots } = await open({ browsers: BROWSERS, robots: ROBOTS });
  await visit(rig, WANDERER, WATCHFUL);

  await replaceRobots("wanderer|1|watchful|0|2|0\n");
  await vi.waitUntil(
    async () => {
      await visit(rig, WANDERER);
      return (await verdicts(rig)).at(-1) === "bot";
    },
    { timeout: 20_000, interval: 25 },
  );
  await visit(rig, WATCHFUL, NOBODY);

  expect((await verdicts(rig)).slice(0, 2)).toEqual(["valid", "bot"]);
  expect((await verdicts(rig)).slice(-2)).toEqual(["valid", "bot"]);
});
