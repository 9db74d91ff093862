import { end, type Life, settleOwed } from "./life.ts";
import { cardDigits, form, type Scene, type Sold, type Step } from "./scene.ts";

const isAlive = ({ endedAt }: Life) => endedAt === null;

/** What a buyer does on the processor's pages. */
export const BUYER_STEPS: readonly Step[] = [
  {
    name: "cancel",
    weight: 3,
    can: (life) => isAlive(life) && !life.isLeaving,
    take: async (scene, sold) => {
      const { life, subscription } = sold;
      const page = await portal(scene, sold);
      await form(scene, `${page}/subscriptions/${subscription}/cancel`, { feedback: "too_expensive" });
      // Nothing was charged for it, so that nothing is left to use up.
      if (life.period.bill === "saved" || (life.isHeld && life.period.bill === "void"))
        end(life, scene.world.now);
      else life.isLeaving = true;
      return "cancels";
    },
  },
  {
    name: "keep",
    weight: 8,
    can: (life) => isAlive(life) && life.isLeaving,
    take: async (scene, sold) => {
      const page = await portal(scene, sold);
      await form(scene, `${page}/subscriptions/${sold.subscription}/keep`, {});
      sold.life.isLeaving = false;
      return "withdraws the cancellation";
    },
  },
  {
    name: "change card",
    weight: 8,
    can: (life) => isAlive(life) && life.terms.amount > 0,
    take: async (scene, sold) => {
      const { life } = sold;
      life.card = life.card === "fails" && scene.random() < 0.8 ? "works" : "fails";
      await form(scene, `${await portal(scene, sold)}/card`, { card: cardDigits(life.card) });
      return `changes to a card that ${life.card}`;
    },
  },
  {
    name: "pay",
    weight: 12,
    can: ({ owed }) => owed !== null && owed.attempts > 0,
    take: async (scene, sold) => {
      const { life, subscription } = sold;
      const { data } = await scene.rig.service.processor.stripe.invoices.list({
        subscription,
        status: "open",
      });
      if (data.length !== 1) throw new Error(`${data.length} invoices are open, not 1.`);
      await form(scene, `/sandbox/invoices/${data[0]?.id}/pay`, { card: cardDigits("works") });
      // When the service learns of the payment, the period continues, or a new one begins.
      if (life.stop?.reason === "unpaid") await scene.rig.settle("prompt", scene.random);
      // Later payments are charged to the same card.
      life.card = "works";
      settleOwed(life, scene.world.now);
      return "pays what is owed";
    },
  },
  {
    name: "pay after the end",
    weight: 4,
    can: ({ endedAt, terms }) => endedAt !== null && terms.amount > 0,
    take: async (scene, { subscription }) => {
      const { stripe } = scene.rig.service.processor;
      const { data } = await stripe.invoices.list({ subscription, limit: 1 });
      const [newest] = data;
      if (newest === undefined || newest.status === "paid" || newest.status === "draft")
        return "looks at the bill";
      const { status } = await scene.rig.post(`/sandbox/invoices/${newest.id}/pay`, {
        card: cardDigits("works"),
      });
      if (status === 200) throw new Error(`the invoice ${newest.id} of an ended subscription was payable`);
      return "cannot pay what was not paid";
    },
  },
];

async function portal({ rig }: Scene, { customer }: Sold): Promise<string> {
  const { url } = await rig.service.processor.stripe.billingPortal.sessions.create({ customer });
  return new URL(url).pathname;
}
