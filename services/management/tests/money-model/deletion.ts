import { expect } from "vitest";
import { end, type Life } from "./life.ts";
import { paidInvoices } from "./money-steps.ts";
import { refundRejected } from "./publisher-steps.ts";
import type { Sold } from "./scene.ts";
import { note, type Stage } from "./stage.ts";

/** Deletes the workspace, with refunds or without, and compares what becomes of each purchase. */
export async function deleteWorkspace(stage: Stage): Promise<void> {
  const { scene, sold, rig, publisher } = stage;
  const { person, path, workspace } = publisher;
  const lettersBefore = new Map(sold.map(({ email }) => [email, rig.mailsTo(email).length]));
  const refund = scene.random() < 0.8;
  const { status, text } = await person.caller.request("DELETE", path, { name: workspace.name, refund });
  if (status !== 200) throw new Error(`the deletion answered ${status}: ${text}`);
  await rig.settle("prompt", scene.random);
  const left = "select from workspaces where id = $1";
  expect((await rig.service.database.pool.query(left, [workspace.id])).rowCount).toBe(0);
  for (const one of sold) {
    stage.latest = one;
    note(stage, one, `is in a workspace that is deleted, refunds ${refund}`);
    const letters = rig.mailsTo(one.email).slice(lettersBefore.get(one.email));
    await compareDeleted(stage, one, refund, letters);
  }
}

/**
 * A deletion refunds what was paid as a rejection does, ends a live subscription, and leaves nothing that can be paid. Buyers get one
 * letter about each.
 */
async function compareDeleted(
  { scene, rig }: Stage,
  one: Sold,
  refund: boolean,
  letters: readonly string[],
): Promise<void> {
  const { life, subscription } = one;
  const isLive = life.endedAt === null;
  const isUnshown = one.adId !== "" && !life.hasRun && life.review !== "Rejected";
  const before = refunded(life);
  if (refund && (isLive || isUnshown)) refundRejected(scene, one);
  if (isLive) end(life, scene.world.now);
  const about = (words: string) => letters.filter((subject) => subject.includes(words)).length;
  const { service } = rig;
  const { data } = await service.processor.stripe.invoices.list({ subscription, limit: 100 });
  const charges = await Promise.all(
    (await paidInvoices(scene, one)).map(({ id = "" }) =>
      service.services.payments.readChargeOfInvoice(id, null),
    ),
  );

  expect({
    name: life.name,
    refunded: charges.map((charge) => charge?.amountRefunded),
    payable: data.filter(({ status }) => status === "open" || status === "draft").length,
    ended: about("has closed"),
    refunds: about("has refunded"),
  }).toEqual({
    name: life.name,
    refunded: life.payments.map(({ refunded: amount }) => amount),
    payable: 0,
    ended: isLive ? 1 : 0,
    refunds: refunded(life) > before ? 1 : 0,
  });
}

function refunded({ payments }: Life): number {
  return payments.reduce((sum, { refunded: amount }) => sum + amount, 0);
}
