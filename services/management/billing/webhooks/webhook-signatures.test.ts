import { Stripe } from "stripe";
import { expect, it } from "vitest";
import { envelope } from "../../tests/envelope.ts";
import { startManagement } from "../../tests/management.ts";
import { WEBHOOK_SECRET } from "../../tests/processor.ts";
import { newEventId } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });

const FIVE_MINUTES = 300;

function aBody(id = newEventId()): string {
  return JSON.stringify({
    id,
    object: "event",
    type: "charge.updated",
    created: now(),
    data: { object: { id: "ch_1", object: "charge" } },
  });
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function sign(payload: string, timestamp = now(), secret = WEBHOOK_SECRET): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  signature: string | null,
  type = "application/json",
) {
  const response = await fetch(`${service.origin}/v1/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": type, ...(signature === null ? {} : { "stripe-signature": signature }) },
    body,
  });
  return { status: response.status, text: await response.text() };
}

async function storedEvents(): Promise<number> {
  const { rows } = await service.database.pool.query("select count(*)::int as count from webhook_events");
  return rows[0].count;
}

const genuine = aBody();
const other = aBody();
const [timestamp = "", mac = ""] = sign(genuine).split(",");

it.each([
  ["no signature", genuine, null],
  ["an empty signature", genuine, ""],
  ["nonsense", genuine, "t=abc,v1=\u00ff"],
  ["a signature without a time", genuine, mac],
  ["a signature without its digest", genuine, timestamp],
  ["another secret's signature", genuine, sign(genuine, now(), "whsec_of_somebody_else")],
  ["a signature by the empty secret", genuine, sign(genuine, now(), "")],
  ["a digest of zeros", genuine, `t=${now()},v1=${"0".repeat(64)}`],
  ["a digest of an older scheme", genuine, sign(genuine).replace("v1=", "v0=")],
  ["a captured signature on another body", other, sign(genuine)],
  ["a captured signature under a newer time", genuine, `t=${now() + 1},${mac}`],
  ["a replay of what was signed over five minutes ago", genuine, sign(genuine, now() - FIVE_MINUTES - 5)],
  ["the same text with other whitespace", genuine.replace(":", ": "), sign(genuine)],
  ["a body cut short", genuine.slice(0, -1), sign(genuine)],
  ["an empty body", "", sign("")],
  ["a signed body that is no JSON", "{", sign("{")],
])("refuses %s with 400 and stores nothing", async (_what, body, signature) => {
  const { status, text } = await send(body, signature);

  expect(status).toBe(400);
  expect(envelope.parse(JSON.parse(text))).toMatchObject({
    defined: false,
    code: "BAD_REQUEST",
    status: 400,
  });
  expect(await storedEvents()).toBe(0);
});

it("accepts a signature over the bytes as sent, with any content type, once", async () => {
  const body = aBody().replace("ch_1", "ch_\u00fc");
  const signature = sign(body, now() - FIVE_MINUTES + 60);

  const answers = [
    await send(new TextEncoder().encode(body), signature, "text/plain"),
    await send(body, signature, "application/json; charset=utf-8"),
    await send(body, sign(body)),
  ];

  expect(answers).toEqual(Array.from({ length: 3 }, () => ({ status: 200, text: '{"received":true}' })));
  expect(await storedEvents()).toBe(1);
});

const event = { object: "event", type: "invoice.paid", created: now() };
const invoice = { id: "in_1", object: "invoice", parent: null };

it.each([
  ["an empty object", {}],
  ["a list", []],
  ["null", null],
  ["a number", 7],
  ["a text", "evt_1"],
  ["an event without an id", { ...event, data: { object: invoice } }],
  ["an event without data", { ...event, id: "evt_1" }],
  ["an event about nothing", { ...event, id: "evt_1", data: {} }],
  ["an event about null", { ...event, id: "evt_1", data: { object: null } }],
  ["an event about an object without an id", { ...event, id: "evt_1", data: { object: {} } }],
  [
    "an event whose object's id is a number",
    { ...event, id: "evt_1", data: { object: { id: 1, parent: null } } },
  ],
  [
    "an event whose object's id has a NUL",
    { ...event, id: "evt_1", data: { object: { ...invoice, id: "in_\0" } } },
  ],
  ["an event whose id has a NUL", { ...event, id: "evt_\u0000", data: { object: invoice } }],
  ["an event whose id is too long", { ...event, id: "e".repeat(5_000), data: { object: invoice } }],
  ["an event without a type", { ...event, id: "evt_1", type: undefined, data: { object: invoice } }],
  ["an event without a time", { ...event, id: "evt_1", created: undefined, data: { object: invoice } }],
  ["an event of no time", { ...event, id: "evt_1", created: 1e300, data: { object: invoice } }],
  ["an event of an account that is none", { ...event, id: "evt_1", account: {}, data: { object: invoice } }],
  [
    "half a checkout session",
    { ...event, id: "evt_1", type: "checkout.session.completed", data: { object: { id: "cs_1" } } },
  ],
  [
    "a dispute of no charge",
    { ...event, id: "evt_1", type: "charge.dispute.created", data: { object: { id: "du_1" } } },
  ],
])("refuses %s with 400 though it is signed, and stores nothing", async (_what, value) => {
  const before = await storedEvents();
  const body = JSON.stringify(value);

  const { status, text } = await send(body, sign(body));

  expect([status, envelope.parse(JSON.parse(text)).code]).toEqual([400, "BAD_REQUEST"]);
  expect(await storedEvents()).toBe(before);
});
