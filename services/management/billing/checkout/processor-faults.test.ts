import { expect, it } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { envelope } from "../../tests/envelope.ts";
import { startManagement } from "../../tests/management.ts";
import type { PassageState } from "../../tests/processor.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier, chargingSettles } from "../../tests/story.ts";

const service = await startManagement({
  unlimited: true,
  webhooks: "by hand",
  sales: { connect: true },
  processorTimeoutMs: 1_500,
});
const { processor } = service;
const { stripe } = processor;
const publisher = await aPublisher(service);
const { caller, path } = publisher;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A call that asks the processor, made ready: to be made while it fails, then again, then looked at. */
interface ReadyCall {
  make(): Promise<Answer>;
  /** What there has to be of it at the processor in the end, once. */
  once(): Promise<void>;
}

const CALLS: Readonly<Record<string, () => Promise<ReadyCall>>> = {
  pause: async () => {
    const running = await aRunningAd();
    return {
      make: () => caller.request("POST", `${running.path}/pause`),
      once: async () => {
        expect((await running.atProcessor()).pause_collection).toMatchObject({ behavior: "void" });
        await statusIs(running.path, "Paused");
      },
    };
  },
  resume: async () => {
    const running = await aRunningAd();
    await caller.request("POST", `${running.path}/pause`);
    return {
      make: () => caller.request("POST", `${running.path}/resume`),
      once: async () => {
        expect((await running.atProcessor()).pause_collection).toBeNull();
        await statusIs(running.path, "Active");
      },
    };
  },
  reject: async () => {
    const running = await aRunningAd();
    return {
      make: () => caller.request("POST", `${running.path}/reject`, { note: "Not for our readers." }),
      once: async () => {
        expect((await running.atProcessor()).status).toBe("canceled");
        await statusIs(running.path, "Canceled");
      },
    };
  },
  "the first sale of a price": async () => {
    const tier = await aTier(publisher);
    const key = crypto.randomUUID();
    const tierPriceId = tier.prices[0]?.id ?? "";
    return {
      make: () =>
        caller.request("POST", `${path}/checkout-sessions`, { tierPriceId }, { "idempotency-key": key }),
      once: async () => {
        const products = await stripe.products.list({ ids: [tier.id] });
        const prices = await stripe.prices.list({ lookup_keys: [tierPriceId] });
        expect([products.data.length, prices.data.length, await sessionsFor(tierPriceId)]).toEqual([1, 1, 1]);
      },
    };
  },
  "reading a checkout": async () => {
    const { checkout } = await aSale();
    return { make: () => caller.request("GET", checkout.path), once: () => soldOnce(checkout.sessionId) };
  },
  "submitting an ad": async () => {
    const { checkout } = await aSale();
    const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
    return {
      make: () => caller.request("POST", `${checkout.path}/ad`, creative),
      once: () => soldOnce(checkout.sessionId),
    };
  },
};

const CONNECT: Readonly<Record<string, () => Promise<ReadyCall>>> = {
  "connecting an account": async () => {
    const owner = await aPublisher(service);
    return {
      make: () => owner.person.caller.request("POST", `${owner.path}/connect`, {}),
      once: () => hasOneAccount(owner.workspace.id),
    };
  },
  "reading the onboarding of an account": async () => {
    const owner = await aPublisher(service);
    await owner.person.caller.request("POST", `${owner.path}/connect`, {});
    return {
      make: () => owner.person.caller.request("GET", `${owner.path}/connect`),
      once: () => hasOneAccount(owner.workspace.id),
    };
  },
};

/** Those that are noticed at once. */
const FAULTS: PassageState[] = ["gone", "limiting", "failing", "mute"];

async function aSale() {
  const { prices } = await aTier(publisher);
  return { checkout: await aPaidCheckout(service, publisher, prices[0]?.id ?? "") };
}

async function aRunningAd() {
  const { path: adPath } = await anApprovedAd(service, publisher);
  const [newest] = (await stripe.subscriptions.list({ limit: 1 })).data;
  if (newest === undefined) throw new Error("the processor has no subscription");
  return { path: adPath, atProcessor: () => stripe.subscriptions.retrieve(newest.id) };
}

async function statusIs(adPath: string, status: string): Promise<void> {
  expect((await caller.ok(ad, "GET", adPath)).subscription.status).toBe(status);
}

async function sessionsFor(tierPriceId: string): Promise<number> {
  const { data } = await stripe.checkout.sessions.list({ limit: 100 });
  return data.filter(({ metadata }) => metadata?.tierPriceId === tierPriceId).length;
}

async function hasOneAccount(workspaceId: string): Promise<void> {
  const { data } = await stripe.accounts.list({ limit: 100 });
  expect(data.filter(({ metadata }) => metadata?.workspaceId === workspaceId)).toHaveLength(1);
}

async function soldOnce(sessionId: string): Promise<void> {
  const { rows } = await service.database.pool.query(
    "select status, subscription_id from checkout_sessions where id = $1",
    [sessionId],
  );
  expect(rows).toMatchObject([{ status: "complete", subscription_id: expect.any(String) }]);
}

/** A sum over all that the calls could change here. */
async function everything(): Promise<string> {
  const tables = [
    "ads",
    "subscriptions",
    "advertisers",
    "audit_log",
    "checkout_sessions",
    "prices",
    "tiers",
    "connected_accounts",
  ];
  const sums = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await service.database.pool.query(
        `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t`,
      );
      return z.array(z.object({ sum: z.string() })).parse(rows)[0]?.sum;
    }),
  );
  return sums.join(" ");
}

for (const [name, prepare] of Object.entries({ ...CALLS, ...CONNECT })) {
  it.each(FAULTS)(
    `answers ${name} with 502 while the processor is %s, changes nothing, and goes through once afterwards`,
    async (state) => {
      const call = await prepare();
      await chargingSettles(service);
      const before = await everything();

      const failed = await processor.while(state, () => call.make());
      const after = await everything();

      expectProcessorFailed(failed);
      expect(after).toBe(before);
      await expectOnce(call);
    },
  );
}

// All at once, since each waits for as long as the service waits for an answer.
it("answers 502 and changes nothing while the processor is silent, and each call succeeds once afterwards", async () => {
  const calls: ReadyCall[] = [];
  for (const prepare of Object.values({ ...CALLS, ...CONNECT })) calls.push(await prepare());
  const before = await everything();

  const failed = await processor.while("silent", () => Promise.all(calls.map((call) => call.make())));
  const after = await everything();

  failed.forEach(expectProcessorFailed);
  expect(after).toBe(before);
  for (const call of calls) await expectOnce(call);
});

function expectProcessorFailed({ status, text }: Answer): void {
  expect(status, text).toBe(502);
  const said = envelope.parse(JSON.parse(text));
  expect(said).toMatchObject({ defined: false, code: "PAYMENT_PROCESSOR_FAILED" });
  expect(said.message).toMatch(/^[A-Z].*payment processor.*\.$/);
}

async function expectOnce(call: ReadyCall): Promise<void> {
  const repeated = await call.make();
  expect([repeated.status, repeated.text]).toEqual([200, expect.any(String)]);
  await call.once();
}

it.each([
  [1, "product"],
  [2, "price"],
  [3, "checkout"],
])("creates nothing twice when the answer to write %i, the %s, is lost", async (which) => {
  const call = await CALLS["the first sale of a price"]?.();
  if (call === undefined) throw new Error("there is no such call");
  const before = await everything();

  processor.loseAnswerToWrite(which);
  const failed = await call.make();
  const hasNoCheckout = (await everything()) === before || which === 3;
  const repeated = await call.make();

  expect([failed.status, hasNoCheckout, repeated.status]).toEqual([502, true, 200]);
  await call.once();
});
