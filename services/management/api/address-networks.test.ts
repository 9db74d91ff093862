import { expect, it } from "vitest";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement({ behindProxy: true });
const publisher = await aPublisher(service);
const session = "/v1/checkout-sessions/cs_test_0000000000000000";
const shop = `/advertise/${publisher.workspace.slug}`;

/** Everything that is limited by address, with the requests it takes in a minute. */
const LIMITED: readonly (readonly [method: string, path: string, points: number])[] = [
  ["POST", "/api/auth/sign-in/email", 20],
  ["POST", `${publisher.path}/checkout-sessions`, 20],
  ["GET", session, 120],
  ["POST", `${session}/ad`, 60],
  ["GET", `${session}/billing`, 20],
  ["GET", shop, 120],
  ["GET", "/demo", 120],
];

it.each(LIMITED)("%s %s counts the addresses of one /64 network as one", async (method, path, points) => {
  const network = `2001:db8:${points}:${LIMITED.findIndex(([, other]) => other === path)}`;
  const ask = (address: string) =>
    new ApiCaller(service.origin, { "x-forwarded-for": address }).request(
      method,
      path,
      method === "POST" ? {} : undefined,
    );

  const answers = await Promise.all(
    Array.from({ length: points + 5 }, (_, at) => ask(`${network}:${at.toString(16)}::${at + 1}`)),
  );
  const neighbour = await ask("2001:db8:ffff:ffff::1");

  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  expect(neighbour.status).not.toBe(429);
});

it.each(LIMITED)("%s %s lets a /48 do ten times as much as a /64", async (method, path, points) => {
  const site = `2001:db8:a${LIMITED.findIndex(([, other]) => other === path)}`;
  const ask = async (address: string) => {
    const caller = new ApiCaller(service.origin, { "x-forwarded-for": address });
    return (await caller.request(method, path, method === "POST" ? {} : undefined)).status;
  };
  const networks = Array.from({ length: points * 10 + 5 }, (_, at) => `${site}:${at.toString(16)}::1`);

  const statuses: number[] = [];
  while (networks.length > 0) statuses.push(...(await Promise.all(networks.splice(0, 50).map(ask))));

  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(await ask("2001:db8:fffe::1")).not.toBe(429);
});

it("remembers an Idempotency-Key for the whole network", async () => {
  const { prices } = await aTier(publisher);
  const ask = (address: string) =>
    new ApiCaller(service.origin, { "x-forwarded-for": address, "idempotency-key": "once" }).request(
      "POST",
      `${publisher.path}/checkout-sessions`,
      { tierPriceId: prices[0]?.id },
    );

  const first = await ask("2001:db8:9:9::1");
  const second = await ask("2001:db8:9:9:8::2");
  const outside = await ask("2001:db8:9:8::1");

  expect(first.status).toBe(200);
  expect([second.text, second.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  expect(outside.text).not.toBe(first.text);
});
