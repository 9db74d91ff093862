import { afterAll, expect, inject, it } from "vitest";
import { borrow } from "#libs/testing/lend.ts";
import { openRig } from "../../services/serving/tests/serving-rig.ts";
import { type Credentials, ENDPOINTS, isAlive, openArena, pathOf } from "./arena.ts";
import { Findings } from "./findings.ts";
import { type RawRequest, sendRaw } from "./raw-request.ts";
import { CLIMBS, isRefusedTarget, LOOKALIKE_FORMS, MISLEADING_FORMS } from "./targets.ts";

const arena = await openArena();
const { service, theirs, strangers } = arena;
const findings = new Findings();
const WORKERS = 12;
/** Each route tries every fifth goal, beginning at another one. */
const GOAL_STRIDE = 5;

afterAll(() => {
  process.stdout.write(`${findings.summary("raw targets")}\n`);
});

/** Sends each to the service, a few at a time, and gives the answer to `judge`. */
async function sendAll(
  origin: string,
  requests: readonly (RawRequest & { readonly about: string; readonly mayBeFound: boolean })[],
): Promise<void> {
  const queue = requests.values();
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (const request of queue) {
        const { status, text } = await sendRaw(origin, request);
        findings.count("requests");
        const shown = JSON.stringify(request.target)
          .replace(/_[0-9a-z]{26}/g, "_…")
          .slice(0, 200);
        const said = `${request.about}: ${request.method} ${shown} ${status}`;
        if (!request.mayBeFound && !isRefusedTarget(status))
          findings.add(`${request.about}: ${status}, not refused`, said);
        if (status >= 500) findings.add(`${request.about}: ${status}`, `${said} ${text.slice(0, 200)}`);
        const leaks = arena.leaksIn(text, `${request.target} ${request.body ?? ""}`);
        if (leaks.length > 0)
          findings.add(`${request.about} tells what is theirs`, `${said} ${leaks.slice(0, 3).join(", ")}`);
      }
    }),
  );
}

/** A target in every form, for every caller without a right to it. */
function inEveryForm(method: string, path: string, identities: Readonly<Record<string, Credentials>>) {
  const forms = [
    ...MISLEADING_FORMS.map((form) => ({ ...form, mayBeFound: false })),
    ...LOOKALIKE_FORMS.map((form) => ({ ...form, mayBeFound: true })),
  ];
  return Object.entries(identities).flatMap(([who, headers]) =>
    forms.map(({ name, write, mayBeFound }) => ({
      about: `${name}, by ${who}`,
      method,
      target: write(path),
      mayBeFound,
      headers: { ...headers, ...(method === "GET" ? {} : { "content-type": "application/json" }) },
      ...(method === "GET" ? {} : { body: "{}" }),
    })),
  );
}

it("answers no endpoint of theirs under any target, to any stranger", async () => {
  for (const { method, path, access } of ENDPOINTS) {
    // What is public needs no credentials, and the secret session in its path lets everybody in.
    if (access.kind === "public") continue;
    await sendAll(service.origin, inEveryForm(method, `/v1${pathOf(path, theirs.ids)}`, strangers));
    findings.count("endpoints");
  }
  findings.count("identities", Object.keys(strangers).length);
  findings.count("forms of a target", MISLEADING_FORMS.length + LOOKALIKE_FORMS.length + CLIMBS.length);

  expect(findings.take()).toEqual([]);
  expect(await arena.changeOfTheirs()).toBe(null);
});

it("answers no other route under a misleading target", async () => {
  for (const { method, url } of service.routes) {
    if (method === "HEAD" || url.startsWith("/v1/workspaces")) continue;
    const path = url.replace(/:\w+/g, "x").replace(/\*$/, "x");
    const requests = MISLEADING_FORMS.filter(({ write }) => write(path) !== path).map(({ name, write }) => ({
      about: `${name}, of ${url}`,
      method,
      target: write(path),
      mayBeFound: false,
      headers: {},
    }));
    // The root has no part to put anything before.
    await sendAll(service.origin, path === "/" ? [] : requests);
    findings.count("other routes");
  }

  expect(findings.take()).toEqual([]);
});

it("leads from no parameter of a route to an endpoint of theirs", async () => {
  const behind = ENDPOINTS.filter(({ access }) => access.kind !== "public");
  let turn = 0;
  const routes = service.routes.filter(({ method, url }) => method !== "HEAD" && /(:\w+|\*)$/.test(url));
  for (const { method, url } of routes) {
    const prefix = url
      .replace(/(:\w+|\*)$/, "")
      .replace(/:workspaceId/g, arena.ours.ids.workspaceId)
      .replace(/:\w+/g, "x");
    const steps = prefix.split("/").length - 2;
    // From the root there is nowhere to climb.
    if (steps === 0) continue;
    // A few goals for each route in turn, so that every goal is tried from many routes.
    const goals = behind.filter((endpoint) => endpoint.method === method);
    const some = goals.filter((_goal, index) => (index + turn) % GOAL_STRIDE === 0);
    turn += 1;
    const identities = { nobody: {}, "our key": arena.key, "our Owner": arena.owner };
    for (const [who, headers] of Object.entries(identities)) {
      await sendAll(
        service.origin,
        some.flatMap((goal) =>
          CLIMBS.map((climb) => ({
            about: `${climb.name} from ${url}, by ${who}`,
            method,
            target: prefix + climb.write(steps, `/v1${pathOf(goal.path, theirs.ids)}`),
            mayBeFound: /%5c|%2f/.test(climb.name),
            headers: { ...headers, ...(method === "GET" ? {} : { "content-type": "application/json" }) },
            ...(method === "GET" ? {} : { body: "{}" }),
          })),
        ),
      );
    }
    findings.count("routes with a parameter at the end");
  }

  expect(findings.take()).toEqual([]);
  expect(await arena.changeOfTheirs()).toBe(null);
  expect(await isAlive(arena)).toBe(true);
});

it("refuses misleading targets on serving, on the sandbox's API and on the embedded ClickHouse", async () => {
  const rig = await openRig();
  const clickHouse = new URL(await borrow(inject("testClickHouseAddress")));
  const servers = {
    serving: {
      origin: new URL(rig.url).origin,
      paths: [
        "/v1/workspaces/x/ads/serving",
        "/v1/workspaces/x/tiers/serving",
        "/v1/ads/x/impressions",
        "/v1/ads/x/clicks",
      ],
    },
    "the sandbox's API": {
      origin: service.sandboxApi,
      paths: ["/v1/customers", "/v1/customers/x", "/v1/checkout/sessions"],
    },
    ClickHouse: { origin: clickHouse.origin, paths: ["/", "/ping", "/x/y"] },
  };
  for (const [name, { origin, paths }] of Object.entries(servers)) {
    for (const path of paths) {
      for (const method of ["GET", "POST", "OPTIONS", "DELETE"]) {
        const requests = inEveryForm(method, path, { nobody: {} }).filter(({ target }) => target !== path);
        await sendAll(origin, path === "/" ? requests.filter(({ mayBeFound }) => !mayBeFound) : requests);
      }
    }
    // Any answer proves that the server is still alive.
    expect((await sendRaw(origin, { method: "GET", target: "/alive" })).status, name).toBeGreaterThan(0);
    findings.count("other servers");
  }
  await rig.close();

  expect(findings.take()).toEqual([]);
});
