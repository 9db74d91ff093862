import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { type Life, type Payment, refund, stepOf, writeOff } from "./life.ts";
import { form, type Scene, type Sold, type Step } from "./scene.ts";

const refundable = ({ payments, review }: Life) =>
  review === "none"
    ? []
    : payments.filter(
        ({ amount, refunded, dispute }) => amount > refunded && (dispute === null || dispute === "won"),
      );

/** Refunds, disputes and what is written off at the processor. */
export const MONEY_STEPS: readonly Step[] = [
  {
    name: "refund",
    weight: 3,
    can: (life) => refundable(life).length > 0,
    take: async (scene, sold) => {
      const { publisher, random } = scene;
      const payment = chosen(scene, refundable(sold.life));
      const left = payment.amount - payment.refunded;
      const step = stepOf(sold.life.terms.currency);
      const amount = random() < 0.4 ? left : step * (1 + Math.floor((random() * left) / step));
      const here = await ourInvoice(scene, sold, payment);
      await publisher.caller.refused(422, "POST", `${here}/refunds`, { amount: left + step });
      await publisher.caller.ok(invoice, "POST", `${here}/refunds`, { amount });
      refund(payment, amount, scene.world.now);
      sold.refunds.push(amount);
      return `is refunded ${amount}`;
    },
  },
  {
    name: "refund at the processor",
    weight: 2,
    can: (life) => refundable(life).length > 0,
    take: async (scene, sold) => {
      const payment = chosen(scene, refundable(sold.life));
      const step = stepOf(sold.life.terms.currency);
      const left = payment.amount - payment.refunded;
      const amount = step * (1 + Math.floor((scene.random() * left) / step));
      await form(scene, `/sandbox/charges/${await chargeOf(scene, sold, payment)}/refund`, { amount });
      refund(payment, amount, scene.world.now);
      sold.refunds.push(amount);
      return `is refunded ${amount} at the processor`;
    },
  },
  {
    name: "dispute",
    weight: 2,
    can: ({ payments }) =>
      payments.some(({ dispute, amount, refunded }) => dispute === null && amount > refunded),
    take: async (scene, sold) => {
      const open = sold.life.payments.filter(
        ({ dispute, amount, refunded }) => dispute === null && amount > refunded,
      );
      const payment = chosen(scene, open);
      await form(scene, `/sandbox/charges/${await chargeOf(scene, sold, payment)}/dispute`, {});
      payment.dispute = "open";
      return "disputes a payment";
    },
  },
  {
    name: "bank decides",
    weight: 5,
    can: ({ payments, review }) => review !== "none" && payments.some(({ dispute }) => dispute === "open"),
    take: async (scene, sold) => {
      const payment = chosen(
        scene,
        sold.life.payments.filter(({ dispute }) => dispute === "open"),
      );
      const here = await ourInvoice(scene, sold, payment);
      await scene.publisher.caller.refused(409, "POST", `${here}/refunds`, { amount: 1 });
      const outcome = scene.random() < 0.5 ? "won" : "lost";
      const charged = await chargeOf(scene, sold, payment);
      const { data } = await scene.rig.service.processor.stripe.disputes.list({ charge: charged });
      await form(scene, `/sandbox/disputes/${data[0]?.id}/close`, { outcome });
      payment.dispute = outcome;
      return `has a dispute ${outcome} by the publisher`;
    },
  },
  {
    name: "write off",
    weight: 6,
    can: ({ owed, endedAt }) => owed !== null && owed.attempts > 0 && endedAt === null,
    take: async ({ rig, random, world }, { life, subscription }) => {
      const { stripe } = rig.service.processor;
      const { data } = await stripe.invoices.list({ subscription, status: "open" });
      if (data.length !== 1) throw new Error(`${data.length} invoices are open, not 1.`);
      await stripe.invoices.markUncollectible(data[0]?.id ?? "none");
      // The new period begins when the service learns of it.
      await rig.settle("prompt", random);
      writeOff(life, world.now);
      return "has what it owes written off";
    },
  },
];

function chosen<T>(scene: Scene, among: readonly T[]): T {
  const one = among[Math.floor(scene.random() * among.length)];
  if (one === undefined) throw new Error("There is nothing to choose from.");
  return one;
}

/** The paid invoices of a purchase at the processor, oldest first, without those of nothing. */
export async function paidInvoices({ rig }: Scene, { subscription }: Sold) {
  const { data } = await rig.service.processor.stripe.invoices.list({
    subscription,
    status: "paid",
    limit: 100,
  });
  return data.filter(({ amount_paid: paid }) => paid > 0).toReversed();
}

async function chargeOf(scene: Scene, sold: Sold, payment: Payment): Promise<string> {
  const paid = (await paidInvoices(scene, sold))[sold.life.payments.indexOf(payment)];
  const found = await scene.rig.service.services.payments.readChargeOfInvoice(paid?.id ?? "", null);
  if (found === null) throw new Error("A payment has no charge.");
  return found.id;
}

/** The path of a payment's invoice here. */
async function ourInvoice(scene: Scene, sold: Sold, payment: Payment): Promise<string> {
  const { publisher } = scene;
  const list = `${publisher.path}/invoices?subscriptionId=${sold.ourId}&status=paid&perPage=100`;
  const { items } = await publisher.caller.ok(pageOf(invoice), "GET", list);
  const paid = items.filter(({ amountPaid }) => amountPaid > 0).toReversed();
  const found = paid[sold.life.payments.indexOf(payment)];
  if (found === undefined) throw new Error("The ledger lacks a payment.");
  return `${publisher.path}/invoices/${found.id}`;
}
