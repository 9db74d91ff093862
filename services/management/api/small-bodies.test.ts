import { connect } from "node:net";
import { expect, it } from "vitest";
import { PEOPLE_ENDPOINTS } from "../accounts/people/endpoints.ts";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const limited = await startManagement({ behindProxy: true, beside: service });
const publisher = await aPublisher(service);
const shop = `/advertise/${publisher.workspace.slug}`;
const OVER = 16 * 1024 + 1;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

const PATHS = [
  ...PEOPLE_ENDPOINTS.filter(({ method }) => method === "POST").map(({ path }) => `/api/auth${path}`),
  `${publisher.path}/checkout-sessions`,
  `${publisher.path}/invitations`,
  "/v1/invitations/accept",
];

it.each(PATHS)("POST %s takes 16 KiB and no more", async (path) => {
  // Without a session, which signing out would end.
  const caller = path.startsWith("/v1") ? publisher.person.caller : new ApiCaller(service.origin);

  const over = await caller.request("POST", path, `{"x":"${"x".repeat(OVER - 8)}"}`);
  const within = await caller.request("POST", path, `{"x":"${"x".repeat(OVER - 9)}"}`);

  expect(over.status).toBe(413);
  expect(within.status).not.toBe(413);
});

it.each([shop, `${shop}/link`])("the form of %s takes 16 KiB and no more", async (path) => {
  const send = (length: number) =>
    new ApiCaller(service.origin).request("POST", path, "x".repeat(length), FORM);

  expect([(await send(OVER)).status, (await send(OVER - 1)).status === 413]).toEqual([413, false]);
});

it("refuses a form of more values than any page asks for", async () => {
  const path = `${shop}/checkout/cs_test_0000000000000000`;

  const answer = await new ApiCaller(service.origin).request("POST", path, "a&".repeat(1_001), FORM);

  expect(answer.status).toBe(413);
});

it("takes 200 KiB where an ad is submitted", async () => {
  const path = "/v1/checkout-sessions/cs_test_0000000000000000/ad";

  const answer = await new ApiCaller(service.origin).request("POST", path, { name: "x".repeat(200_000) });

  expect(answer.status).toBe(422);
});

it.each([
  ["/api/auth/sign-out", 120, 0],
  ["/api/auth/sign-in/email", 20, 1],
  [shop, 20, 2],
  [`${shop}/link`, 10, 3],
])("limits POST %s per address before it reads a body", async (path, points, network) => {
  const from = `2001:db8:${network}:1::1`;
  const caller = new ApiCaller(limited.origin, { "x-forwarded-for": from, ...FORM });
  for (let count = 0; count < points; count += 1) await caller.request("POST", path, "");

  const head = await answerToHead(limited.origin, path, from);

  expect(head).toContain("HTTP/1.1 429 ");
  expect(head).toMatch(/retry-after: \d+/);
});

/** The answer to a request whose body never comes. */
async function answerToHead(origin: string, path: string, from: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n`,
  );
  const answer = await new Promise<string>((resolve) => {
    socket.setEncoding("utf8").once("data", (text: string) => resolve(text));
  });
  socket.destroy();
  return answer;
}
