import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { aMember } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";

const service = await startManagement();

interface Held {
  readonly cookie: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Sends all of a request but the end of its body; `send` sends that, with the status and text of the answer. */
function hold({ cookie, method, path, body }: Held) {
  const json = JSON.stringify(body);
  const { promise: answer, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(`${service.origin}${path}`, {
    method,
    headers: { cookie, "content-type": "application/json", "content-length": Buffer.byteLength(json) },
  });
  sent.once("response", (got) => {
    text(got).then((whole) => resolve({ status: got.statusCode ?? 0, text: whole }), reject);
  });
  sent.once("error", reject);
  sent.write(json.slice(0, 1));
  return {
    send: async () => {
      sent.end(json.slice(1));
      return await answer;
    },
  };
}

/** An Owner beside the first one, with that many requests that were let in and whose bodies are held back. */
async function anOwnerWhoHolds(
  count: number,
  held: (path: string, memberId: string) => Omit<Held, "cookie">,
) {
  const publisher = await aPublisher(service);
  const owner = await aMember(service, publisher, "Owner");
  const accomplice = await aMember(service, publisher, "Viewer");
  const remaining = async () => {
    const { headers } = await owner.caller.request("GET", publisher.path);
    return Number(headers.get("ratelimit-remaining"));
  };
  const before = await remaining();
  const requests = Array.from({ length: count }, () =>
    hold({ cookie: owner.cookie, ...held(publisher.path, accomplice.memberId) }),
  );
  let asked = 0;
  await vi.waitFor(async () => {
    asked += 1;
    expect(await remaining()).toBe(before - count - asked);
  });
  return { publisher, owner, accomplice, requests };
}

it.each([
  [
    "promote an accomplice",
    (path: string, id: string) => ({
      method: "PATCH",
      path: `${path}/members/${id}`,
      body: { role: "Owner" },
    }),
  ],
  ["delete the workspace", (path: string) => ({ method: "DELETE", path, body: { name: "Example Weekly" } })],
])("does not %s for an Owner who was removed while the body was on its way", async (_what, held) => {
  const { publisher, owner, accomplice, requests } = await anOwnerWhoHolds(1, held);

  await publisher.person.caller.request("DELETE", owner.path);
  const answers = await Promise.all(requests.map(({ send }) => send()));
  const members = await publisher.person.caller.request("GET", `${publisher.path}/members`);

  expect(answers.map(({ status }) => status)).toEqual([403]);
  const roles: [string, string][] = JSON.parse(members.text).items.map(
    (one: { person: { email: string }; role: string }) => [one.person.email, one.role],
  );
  expect(roles).toEqual([
    [publisher.person.email, "Owner"],
    [accomplice.email, "Viewer"],
  ]);
});

it("does nothing for a session that has ended while the body was on its way", async () => {
  const { owner, requests } = await anOwnerWhoHolds(1, () => ({
    method: "POST",
    path: "/v1/workspaces",
    body: { name: "Late Weekly" },
  }));

  await owner.caller.request("POST", "/api/auth/sign-out", {});
  const answers = await Promise.all(requests.map(({ send }) => send()));

  expect(answers.map(({ status }) => status)).toEqual([401]);
});

it("takes the body of somebody whose access has not changed, however late it comes", async () => {
  const { requests } = await anOwnerWhoHolds(2, (path, id) => ({
    method: "PATCH",
    path: `${path}/members/${id}`,
    body: { role: "Manager" },
  }));

  const answers = await Promise.all(requests.map(({ send }) => send()));

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});
