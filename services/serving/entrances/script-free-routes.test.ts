import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { createServer } from "#libs/http/index.ts";
import { prepareSnapshot } from "../directory/prepared-snapshot.ts";
import { aCachedAd, anAd, aSnapshot } from "../tests/builders.ts";
import { addScriptFreeRoutes, type ScriptFreeDeps } from "./script-free-routes.ts";

const ad = anAd({ clickUrl: "https://northwind.example/" });
const snapshot = aSnapshot({ ads: [ad] });
const known = (id: string) => aCachedAd(id, snapshot.workspaceId);
const directory: ScriptFreeDeps["directory"] = {
  cachedVersion: () => snapshot.version,
  find: async () => prepareSnapshot(snapshot),
  cachedAd: known,
  findAd: async (id) => known(id),
};

async function open(add: ScriptFreeDeps["add"]) {
  const app = createServer({
    logger: pino({ level: "silent" }),
    trustProxy: false,
    publicUrl: new URL("http://127.0.0.1"),
  });
  onTestFinished(() => app.close());
  addScriptFreeRoutes(app, { directory, metrics: { countRefused: () => undefined }, add });
  return async (path: string) => {
    const { statusCode, headers } = await app.inject(`/ads/${ad.id}/${path}`);
    return [statusCode, headers.location];
  };
}

it("leads on when too many events wait, and says of an image that it was not recorded", async () => {
  const ask = await open(() => false);

  expect(await ask("click")).toEqual([302, ad.clickUrl]);
  expect(await ask("impression.gif")).toEqual([503, undefined]);
});

it("leads on when the event is never answered", async () => {
  const ask = await open(() => true);

  expect(await ask("click")).toEqual([302, ad.clickUrl]);
});

it.each(["stored", "limited", "failed"] as const)("leads on when the event is %s", async (outcome) => {
  const ask = await open((_request, _kind, _ad, settle) => {
    settle(outcome);
    return true;
  });

  expect(await ask("click")).toEqual([302, ad.clickUrl]);
});
