import { expect, it, vi } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { listFieldRules } from "./queries.ts";

const service = await startManagement({ unlimited: true });
const { pool, db } = service.database;
const publisher = await aPublisher(service);
const { caller, path } = publisher;

/** Enough for both orders, and for the change to fall between a submission's check and its writing. */
const TURNS = 12;

async function aBuyer() {
  const { prices } = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);
  return checkout;
}

function submission(fieldId: string) {
  const meta = [{ fieldId, value: "Roasted this morning" }];
  return { name: "Example Coffee", websiteUrl: "https://coffee.example", meta };
}

/** Whether every value that is held keeps the rules that its field has now. */
async function valuesKeepRules(): Promise<boolean> {
  const rules = await listFieldRules(db, publisher.workspace.id);
  const { rows } = await pool.query<{ meta: Record<string, unknown> }>(
    "select meta from ads union all select meta from revisions",
  );
  const known = new Set(rules.map(({ id }) => id));
  return rows.every(({ meta }) => {
    const values = Object.entries(meta)
      .filter(([fieldId]) => known.has(fieldId))
      .map(([fieldId, value]) => ({ fieldId, value }));
    return checkFieldValues(rules, values, "publisher").ok;
  });
}

it("takes no value of a type that the field no longer has when it is written", async () => {
  const made = await aField(publisher);
  const buyer = await aBuyer();
  const blocker = await pool.connect();
  await blocker.query("begin");
  await blocker.query("select from workspaces where id = $1 for update", [publisher.workspace.id]);

  const submitting = buyer.caller.request("POST", `${buyer.path}/ad`, submission(made.id));
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      "select 1 from pg_locks where not granted and pid <> pg_backend_pid() limit 1",
    );
    expect(rows).toHaveLength(1);
  }, 20_000);
  await blocker.query("update fields set type = 'Number' where id = $1", [made.id]);
  await blocker.query("commit");
  blocker.release();
  const { status, text } = await submitting;

  expect(status).toBe(422);
  expect(text).toContain(`meta.${made.key}`);
  expect((await pool.query("select 1 from ads")).rowCount).toBe(0);
});

it("ends with values of the field's type when submissions race a change of it", async () => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const made = await aField(publisher, { name: `Tagline ${turn}` });
    const buyer = await aBuyer();
    const fresh = turn % 2 === 0;
    if (!fresh) {
      const bare = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
      const { id } = await buyer.caller.ok(submittedAd, "POST", `${buyer.path}/ad`, bare);
      await caller.request("POST", `${path}/ads/${id}/approve`);
    }

    const [change, submitted] = await Promise.all([
      caller.request("PATCH", `${path}/fields/${made.id}`, { type: "Number" }),
      buyer.caller.request("POST", `${buyer.path}/ad`, submission(made.id)),
    ]);

    expect([`200/422`, `409/200`]).toContain(`${change.status}/${submitted.status}`);
    expect(await valuesKeepRules()).toBe(true);
    await caller.request("DELETE", `${path}/fields/${made.id}`);
  }
});
