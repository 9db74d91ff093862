// A whole sale with nothing but types that openapi-typescript generated from the interface description, and openapi-fetch. The
// only argument is the origin. Throws at the first answer that is not what the description says.
import createClient from "openapi-fetch";
import type { components, paths } from "./placard.d.ts";

const [, , origin = ""] = process.argv;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PATIENCE_MS = 30_000;

// A person's session, as the introduction says how to get one.
const person = { name: "Sam Example", email: "sam.ts@example.com", password: "correct horse battery" };
await post("/api/auth/sign-up/email", person);
const signedIn = await post("/api/auth/sign-in/email", person);
const cookie = signedIn.headers.getSetCookie().map((one) => one.slice(0, one.indexOf(";")));

// A site: by a person, then by a key of theirs.
const session = clientWith({ cookie: cookie.join("; ") });
const { id: workspaceId } = got(await session.POST("/workspaces", { body: { name: "TypeScript Weekly" } }));
const inWorkspace = { params: { path: { workspaceId } } };
const made = await session.POST("/workspaces/{workspaceId}/api-keys", {
  ...inWorkspace,
  body: { name: "Sale" },
});
const publisher = clientWith({ authorization: `Bearer ${got(made).key}` });
const anybody = clientWith({ "user-agent": BROWSER });

const tier = got(
  await publisher.POST("/workspaces/{workspaceId}/tiers", {
    params: { path: { workspaceId }, header: { "Idempotency-Key": "the-only-tier" } },
    body: {
      name: "Sidebar",
      weight: 2,
      initialPrices: [{ amount: 4900, intervalCount: 1, currency: "eur" }],
    },
  }),
);
const tagline = got(
  await publisher.POST("/workspaces/{workspaceId}/fields", {
    ...inWorkspace,
    body: { name: "Tagline", type: "Text", isRequired: true, maxLength: 60 },
  }),
);

// A purchase, without a key.
const { sessionId } = got(
  await anybody.POST("/workspaces/{workspaceId}/checkout-sessions", {
    ...inWorkspace,
    body: { tierPriceId: tier.prices[0]?.id ?? "", email: "ads@coffee.example" },
  }),
);
await post(`/sandbox/checkout/${sessionId}/complete`, { email: "ads@coffee.example" });
const purchase = { params: { path: { sessionId } } };
same("the session", got(await anybody.GET("/checkout-sessions/{sessionId}", purchase)).status, "complete");

const submit = (words: string) => {
  const meta: components["schemas"]["SubmittedValue"][] = [{ fieldId: tagline.id, value: words }];
  const body = { name: "Example Coffee", websiteUrl: "https://coffee.example", meta };
  return anybody.POST("/checkout-sessions/{sessionId}/ad", { ...purchase, body });
};
const { error: refusal } = await submit("x".repeat(61));
const cause = refusal !== undefined && "reason" in refusal.data ? refusal.data.reason : undefined;
same("the cause of the refusal", cause, "INVALID_FIELD_VALUE");
const { id: adId } = got(await submit("Fresh coffee"));
const oneAd = { params: { path: { workspaceId, adId } } };

// The decision is about what was seen.
const seen = got(await publisher.GET("/workspaces/{workspaceId}/ads/{adId}", oneAd));
const approve = (version: number) =>
  publisher.POST("/workspaces/{workspaceId}/ads/{adId}/approve", { ...oneAd, body: { version } });
same("a decision on another version", (await approve(seen.version + 1)).response.status, 409);
same("the status", got(await approve(seen.version)).status, "Approved");

// On the page, and counted.
const ad = await until("the ad on the page", async () => {
  const query = { tierId: [tier.id, "tier_other"], count: 3, "weight[gte]": 1.5 };
  const where = { params: { path: { workspaceId }, query } };
  return got(await anybody.GET("/workspaces/{workspaceId}/ads/serving", where)).ads[0];
});
same("the value on the page", ad.meta.tagline, "Fresh coffee");
const shown = { params: { path: { adId } } };
same("the impression", got(await anybody.POST("/ads/{adId}/impressions", shown)).success, true);
same("the click", got(await anybody.POST("/ads/{adId}/clicks", shown)).success, true);
await until("the impression and the click in the stats", async () => {
  const { totals } = got(await publisher.GET("/workspaces/{workspaceId}/ads/{adId}/stats", oneAd));
  return totals.impressions === 1 && totals.clicks === 1 ? totals : undefined;
});

// The money, back in two parts.
const { id: invoiceId } = await until("the paid invoice", async () => {
  const where = { params: { path: { workspaceId }, query: { status: "paid" as const } } };
  return got(await publisher.GET("/workspaces/{workspaceId}/invoices", where)).items[0];
});
const refund = (body: components["schemas"]["InvoicesRefundBody"]) =>
  publisher.POST("/workspaces/{workspaceId}/invoices/{invoiceId}/refunds", {
    params: { path: { workspaceId, invoiceId } },
    body,
  });
same("what was refunded", got(await refund({ amount: 900 })).amountRefunded, 900);
same("what was refunded in all", got(await refund({})).amountRefunded, 4900);
same("one more refund", (await refund({})).response.status, 409);

console.log("A tier was made, sold, approved, shown, counted and refunded with the client in TypeScript.");

function clientWith(headers: Record<string, string>) {
  return createClient<paths>({ baseUrl: `${origin}/v1`, headers });
}

/** The answer of a success. */
function got<Answer>({ data, error }: { data?: Answer; error?: unknown }): Answer {
  if (data === undefined) throw new Error(`a success was expected, and this came: ${JSON.stringify(error)}`);
  return data;
}

async function post(path: string, body: object): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  same(path, answer.status, 200);
  return answer;
}

/** The first answer of `read`, which arrives a moment after its cause. */
async function until<Answer>(what: string, read: () => Promise<Answer | undefined>): Promise<Answer> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
    const answer = await read();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come`);
}

function same(what: string, isNow: unknown, shouldBe: unknown): void {
  if (isNow !== shouldBe) throw new Error(`${what} is ${String(isNow)} instead of ${String(shouldBe)}`);
}
