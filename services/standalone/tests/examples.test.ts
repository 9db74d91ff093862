import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { declaredHeaders, sentHeaders } from "../../management/tests/declared-headers.ts";
import { createCaller, signIn } from "../seed/caller.ts";
import { startInstallation } from "./installation.ts";

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  example: z.unknown(),
});
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({ content: z.object({ "application/json": z.object({ example: z.unknown() }) }) })
    .optional(),
});
type Operation = z.infer<typeof operation> & { readonly method: string; readonly path: string };
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

const CHECKOUT = ["submit", "get", "upload", "revision", "billing", "pay"].map((name) => `checkout.${name}`);
/** What changes the state that others need comes after them, in this order. */
const LAST = [
  "connect.start",
  ...["corrections.apply", "corrections.revoke"],
  ...["requestChanges", "approve", "pause", "resume", "reject"].map((name) => `ads.${name}`),
  ...["requestChanges", "approve", "reject"].map((name) => `revisions.${name}`),
  "advertisers.erase",
  ...["subscriptions.remind", "subscriptions.cancel"],
  ...["prices.archive", "prices.unarchive", "tiers.archive", "tiers.unarchive", "fields.delete"],
  ...["invitations.revoke", "invitations.accept", "members.update", "members.remove"],
  ...[
    "serving.events",
    "trackingKeys.revoke",
    "apiKeys.revoke",
    "members.leave",
    "workspaces.delete",
    "account.delete",
  ],
];
const COLLEAGUE = {
  email: "colleague@publisher.example",
  name: "Colleague",
  password: "correct horse battery",
};
const WELCOME = {
  signIn: /^ {2}Sign in {5}(\S+), password (\S+)$/m,
  key: /^ {2}Key {9}(plc_\w+) \(shown this once\)$/m,
  workspace: /^ {2}Workspace {3}(ws_\w+) \(demo\)$/m,
};

/** What no example can know: secrets, and the state that an earlier request has made. */
interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

it("sends every example of the interface description to the demo, and each one works and has the headers that are declared", async () => {
  const dataDir = await aFolder();
  const { url, stdout, stop } = await installationWithDemo(dataDir);
  const [, email = "", password = ""] = WELCOME.signIn.exec(stdout) ?? [];
  const [, key = ""] = WELCOME.key.exec(stdout) ?? [];
  const [, workspaceId = ""] = WELCOME.workspace.exec(stdout) ?? [];
  const session = { cookie: await signIn(url, { email, password }) };
  const { paths } = description.parse(await (await fetch(`${url}/v1/openapi.json`)).json());
  const operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => [one.operationId, { ...one, method, path }] as const),
    ),
  );
  // Only who has Stripe's secret can sign its events.
  operations.delete("webhooks.stripe");
  const refused: string[] = [];
  const otherHeaders: string[] = [];
  const sent = new Set<string>();

  async function send(name: string, { path = {}, body, headers = {} }: Given = {}) {
    const found = operations.get(name);
    if (found === undefined) throw new Error(`the description has no ${name}`);
    sent.add(name);
    const access = found.security.some((one) => "apiKey" in one)
      ? { authorization: `Bearer ${key}` }
      : session;
    const answer = await fetch(
      url + addressOf(found, path),
      requestOf(found, { ...access, ...headers }, body),
    );
    const text = await answer.text();
    if (![200, 302, 303].includes(answer.status)) refused.push(`${name}: ${answer.status} ${text}`);
    else {
      // Only a repetition is replayed, and only a page that is not the last leads to another.
      const promised = declaredHeaders(name, answer.status).filter(
        (header) => !["idempotent-replayed", "link"].includes(header),
      );
      const [is, said] = [
        sentHeaders(answer.headers)
          .filter((header) => header !== "link")
          .join(", "),
        promised.join(", "),
      ];
      if (is !== said) otherHeaders.push(`${name} sends ${is}, and declares ${said}`);
    }
    return text;
  }
  const call = async (method: string, path: string, body?: object, headers: object = session) => {
    const init = { method, headers: { "content-type": "application/json", ...headers } };
    const answer = await fetch(
      url + path,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return await answer.text();
  };

  const answers = new Map<string, string>();
  const inOrder = [...operations.values()].toSorted(
    (a, b) => Number(b.method === "get") - Number(a.method === "get"),
  );
  for (const { operationId: name } of inOrder) {
    if (LAST.includes(name) || CHECKOUT.includes(name) || name === "checkout.create") continue;
    answers.set(name, await send(name));
  }

  // The session is a secret, so the description has none of the demo's.
  const { sessionId } = z.object({ sessionId: z.string() }).parse(JSON.parse(await send("checkout.create")));
  await call("POST", `/sandbox/checkout/${sessionId}/complete`, {
    email: "buyer@coffee.example",
    name: "Buyer",
  });
  const submitted = JSON.parse(await send("checkout.submit", { path: { sessionId } }));
  const ad = `/v1/workspaces/${workspaceId}/ads/${z.object({ id: z.string() }).parse(submitted).id}`;
  await call("POST", `${ad}/approve`);
  const edit = { name: "Another name", websiteUrl: "https://coffee.example", meta: submitted.meta };
  await call("POST", `/v1/checkout-sessions/${sessionId}/ad`, edit);
  for (const name of CHECKOUT.filter((one) => one !== "checkout.submit")) {
    await send(name, { path: { sessionId } });
  }
  const ofNewAd = { path: { adId: ad.slice(ad.lastIndexOf("/") + 1) } };

  // A purchase that gets no ad, while the demo still sells in the platform's account.
  // With the key of the first purchase it would be answered with that one.
  const again = await send("checkout.create", { headers: { "Idempotency-Key": crypto.randomUUID() } });
  const bought = z.object({ sessionId: z.string() }).parse(JSON.parse(again));
  await call("POST", `/sandbox/checkout/${bought.sessionId}/complete`, {
    email: "late@coffee.example",
    name: "Late",
  });
  await send("checkout.get", { path: bought });
  const awaitedAds = await call("GET", `/v1/workspaces/${workspaceId}/subscriptions?ad=awaited`);
  const [newest] = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(awaitedAds)).items;
  const awaited = newest?.id ?? "";

  const invitations = await call("GET", `/v1/workspaces/${workspaceId}/invitations`);
  const [invitation] = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(invitations)).items;
  await createCaller(url).call("POST", "/api/auth/sign-up/email", z.unknown(), COLLEAGUE);
  const colleague = { cookie: await signIn(url, COLLEAGUE) };
  const special: Readonly<Record<string, () => Promise<Given>>> = {
    "corrections.apply": async () => ({ path: { correctionId: idOf("corrections.create") } }),
    "corrections.revoke": async () => ({ path: { correctionId: idOf("corrections.create") } }),
    // The only open edit of the demo was just approved.
    "revisions.reject": async () => ofNewAd,
    "subscriptions.remind": async () => ({ path: { subscriptionId: awaited } }),
    "subscriptions.cancel": async () => ({ path: { subscriptionId: awaited } }),
    "invitations.revoke": async () => ({ path: { invitationId: invitation?.id ?? "" } }),
    // The token is in the colleague's mail, and the first invitation was revoked.
    "invitations.accept": async () => ({ body: { token: await inviteColleague() }, headers: colleague }),
    "members.update": async () => ({ path: { memberId: await memberIdOf(COLLEAGUE.email) } }),
    "members.remove": async () => ({ path: { memberId: await memberIdOf(COLLEAGUE.email) } }),
    "serving.events": async () => ({ headers: { authorization: `Bearer ${await trackingKeyThatWorks()}` } }),
    "trackingKeys.revoke": async () => ({ path: { keyId: newTrackingKey.id } }),
    // The last Owner cannot leave, so a colleague does.
    "members.leave": async () => {
      await call("POST", "/v1/invitations/accept", { token: await inviteColleague() }, colleague);
      return { headers: colleague };
    },
    "account.delete": async () => {
      const left = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });
      for (const { id, name } of left.parse(JSON.parse(await call("GET", "/v1/workspaces"))).items) {
        await call("DELETE", `/v1/workspaces/${id}`, { name, refund: false });
      }
      return { body: { password } };
    },
  };
  const newTrackingKey = z
    .object({ id: z.string(), key: z.string() })
    .parse(JSON.parse(answers.get("trackingKeys.create") ?? "{}"));
  function idOf(name: string): string {
    return z.object({ id: z.string() }).parse(JSON.parse(answers.get(name) ?? "{}")).id;
  }
  async function trackingKeyThatWorks(): Promise<string> {
    const { key: made } = newTrackingKey;
    const events = [{ adId: ofNewAd.path.adId, kind: "impression" }];
    const asServer = { authorization: `Bearer ${made}` };
    await vi.waitFor(() => call("POST", `/v1/workspaces/${workspaceId}/events`, { events }, asServer), {
      timeout: 20_000,
      interval: 100,
    });
    return made;
  }
  async function inviteColleague(): Promise<string> {
    const before = await invitationTokens(dataDir);
    await call("POST", `/v1/workspaces/${workspaceId}/invitations`, {
      email: COLLEAGUE.email,
      role: "Manager",
    });
    return await vi.waitFor(
      async () => {
        const sent = (await invitationTokens(dataDir)).find((token) => !before.includes(token));
        if (sent === undefined) throw new Error("the invitation is not in the outbox yet");
        return sent;
      },
      { timeout: 10_000, interval: 100 },
    );
  }
  async function memberIdOf(address: string): Promise<string> {
    const text = await call("GET", `/v1/workspaces/${workspaceId}/members`);
    const member = z.object({ id: z.string(), person: z.object({ email: z.string() }) });
    const { items } = z.object({ items: z.array(member) }).parse(JSON.parse(text));
    return items.find(({ person }) => person.email === address)?.id ?? "";
  }
  for (const name of LAST) await send(name, await special[name]?.());

  expect(refused).toEqual([]);
  expect(otherHeaders).toEqual([]);
  expect([...operations.keys()].filter((name) => !sent.has(name))).toEqual([]);
  await stop();
});

it("introduces the interface with shell lines that work when pasted, one after the other", async () => {
  const { url, stdout, stop } = await installationWithDemo(await aFolder());
  const [, key = ""] = WELCOME.key.exec(stdout) ?? [];
  const text = z
    .object({ info: z.object({ description: z.string() }) })
    .parse(await (await fetch(`${url}/v1/openapi.json`)).json()).info.description;
  const lines = Array.from(text.matchAll(/```sh\n(.*?)```/gs), ([, block = ""]) =>
    block.trim().split("\n"),
  ).flat();
  const curls = lines.filter((line) => line.startsWith("curl "));

  for (const line of curls) {
    const env = { PATH: process.env.PATH, PLACARD_KEY: key };
    const { stdout: said } = await promisify(execFile)("bash", ["-c", line], { env });
    expect(JSON.parse(said), line).not.toHaveProperty("code");
  }

  expect(curls.length).toBeGreaterThan(7);
  // An event of a program is not counted.
  for (const line of curls.filter((one) => one.includes("/impressions")))
    expect(line).toContain("-A 'Mozilla/");
  await stop();
});

async function installationWithDemo(dataDir: string) {
  const environment = { SEED: "demo", CONNECT: "true" };
  const installation = await startInstallation({ dataDir, environment });
  return { url: installation.url, stdout: installation.stdout, stop: () => installation.stop() };
}

function addressOf({ path, parameters }: Operation, given: Readonly<Record<string, string>>): string {
  const inPath = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(given[name] ?? inPath.get(name) ?? ""),
  );
  const query = parameters
    // A cursor comes from the answer before.
    .filter((one) => one.in === "query" && one.name !== "after")
    .map(({ name, example }) => `${encodeURIComponent(name)}=${encodeURIComponent(String(example))}`);
  return `/v1${address}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

function requestOf(
  { method, parameters, requestBody }: Operation,
  access: Readonly<Record<string, string>>,
  body: unknown = requestBody?.content["application/json"].example,
): RequestInit {
  const inHeaders = parameters
    .filter((one) => one.in === "header")
    // The tag is another one in each installation.
    .map(({ name, example }) => [name, name === "If-Match" ? "*" : String(example)]);
  return {
    redirect: "manual",
    method: method.toUpperCase(),
    headers: {
      ...Object.fromEntries(inHeaders),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...access,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** The tokens of the invitations in the outbox. */
async function invitationTokens(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, "outbox");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return mails.flatMap((mail) => {
    const [, token] = /accept-invitation#token=(?:3D)?([\w-]+)/.exec(mail.replace(/=\r?\n/g, "")) ?? [];
    return token === undefined ? [] : [token];
  });
}
