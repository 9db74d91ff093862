import { z } from "zod";
import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { DISPUTE_STATUSES, INVOICE_STATUSES, REFUND_REASONS } from "#libs/domain/invoice.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { subscription } from "./ad.ts";
import { CSV_FORMAT, csvFile } from "./csv-file.ts";
import { memberApi } from "./errors.ts";
import { clientReference, ids, isSpan, NO_SPAN, pageOf, paging, periods, updatedSince } from "./query.ts";
import { id, text, timestamp, trimmedText } from "./text.ts";

/** An amount of money in an answer; negative for a credit. */
export const signedMoney = z.int().meta({ description: "Smallest currency unit.", examples: [4900] });
export const money = signedMoney.min(0);

const refund = z.object({
  id: id("refund_01kahm4sw4fksra52s8bd8xkd1"),
  amount: money,
  reason: z
    .string()
    .nullable()
    .meta({
      description: "The payment processor's reason; null if none was given.",
      examples: ["requested_by_customer"],
    }),
  note: z
    .string()
    .nullable()
    .meta({ description: "Free text given with the refund.", examples: ["Charged twice."] }),
  refundedAt: timestamp,
});

/** What an advertiser was billed for a period of a subscription, as the payment processor has it. */
export const invoice = z.object({
  id: id("invoice_01kahm4sw4fksra52s8bd8xkd1"),
  number: z
    .string()
    .nullable()
    .meta({
      description: "As printed on it; null for a draft.",
      examples: ["A1B2C3D4-0001"],
    }),
  status: z
    .enum(INVOICE_STATUSES)
    .meta({ description: "Only a `paid` one has been charged.", examples: ["paid"] }),
  currency: z.string().meta({ examples: ["usd"] }),
  total: signedMoney.meta({
    description: "After discounts and with taxes; smallest currency unit. Negative for a credit.",
  }),
  amountPaid: money.meta({ description: "Paid so far; smallest currency unit." }),
  amountDue: money.meta({
    description: "What the invoice asks for, paid or not; smallest currency unit.",
  }),
  amountRefunded: money.meta({ description: "Refunded so far; smallest currency unit." }),
  disputed: z.boolean().meta({ description: "Whether the advertiser has ever disputed it at the bank." }),
  dispute: z
    .object({
      amount: money,
      status: z.enum(DISPUTE_STATUSES).meta({
        description:
          "What the bank has decided. `inquiry`: it only asks and has taken nothing, so the payment can be refunded.",
      }),
      evidenceDueBy: timestamp
        .nullable()
        .meta({ description: "When the bank stops taking evidence; null where it takes none." }),
    })
    .nullable()
    .meta({ description: "The latest dispute; null without one, and until it has been read." }),
  refunds: z.array(refund).meta({ description: "Newest first." }),
  issuedAt: timestamp,
  paidAt: timestamp.nullable(),
  periodStart: timestamp.meta({ description: "Start of the billing period." }),
  periodEnd: timestamp,
  subscriptionId: id("sub_01kahm4sw4fksra52s8bd8xkd1"),
  adId: id("ad_01kahm4sw4fksra52s8bd8xkd1")
    .nullable()
    .meta({ description: "The ad of the subscription; null until one is submitted." }),
  clientReference: subscription.shape.clientReference,
  metadata: subscription.shape.metadata,
  advertiser: z.object({
    id: id("adv_01kahm4sw4fksra52s8bd8xkd1"),
    name: z.string(),
    email: z.string().nullable(),
  }),
  hostedUrl: z
    .string()
    .nullable()
    .meta({ description: "The processor's page for the advertiser; null for a draft." }),
  pdfUrl: z.string().nullable(),
});
export type Invoice = z.output<typeof invoice>;

/** A refund with what it was of. */
const listedRefund = refund.extend({
  currency: z.string().meta({ examples: ["usd"] }),
  invoiceId: id("invoice_01kahm4sw4fksra52s8bd8xkd1"),
  invoiceNumber: invoice.shape.number,
  ...invoice.pick({
    subscriptionId: true,
    adId: true,
    clientReference: true,
    metadata: true,
    advertiser: true,
  }).shape,
});

/** Which invoices are meant; all of them where nothing is said. */
const filters = {
  status: z.enum(INVOICE_STATUSES).optional(),
  advertiserId: z.string().optional(),
  subscriptionId: z.string().optional(),
  clientReference,
  ids,
  updatedSince: updatedSince("an invoice with its refunds and dispute, or its advertiser, who may be erased"),
  query: text(LONGEST_EMAIL, {
    description:
      "Part of the invoice's number, or of the advertiser's name or email address, in upper or lower case. Blank: all.",
  }).optional(),
  ...periods,
};

const refundFilters = { advertiserId: z.string().optional(), clientReference, ...periods };

/** What to refund of an invoice. */
const refundTerms = z.object({
  amount: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({
      description: "Smallest currency unit. Everything that is left where absent.",
      examples: [900],
    }),
  reason: z
    .enum(REFUND_REASONS)
    .optional()
    .meta({ description: "For the payment processor.", examples: ["requested_by_customer"] }),
  note: trimmedText(1, LONGEST.refundNote, {
    description: "Free text. The advertiser reads it.",
    examples: ["Charged twice."],
  }).optional(),
});

export const invoicesContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/invoices",
      tags: ["Invoices"],
      summary: "List invoices",
      description: "Newest first, with what was refunded and disputed. An unknown advertiser has none.",
    })
    .input(z.object({ workspaceId: z.string(), ...filters, ...paging }).refine(isSpan, NO_SPAN))
    .output(pageOf(invoice)),
  export: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/invoices.csv",
      tags: ["Invoices"],
      summary: "Download invoices as CSV",
      description: `All invoices that match the filters, newest first: ${CSV_FORMAT}`,
    })
    .input(z.object({ workspaceId: z.string(), ...filters }).refine(isSpan, NO_SPAN))
    .output(csvFile),
  refunds: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/refunds",
      tags: ["Invoices"],
      summary: "List refunds",
      description:
        "Newest first, also those that were made at the payment processor. `from` and `to` are days or months of the refund.",
    })
    .input(z.object({ workspaceId: z.string(), ...refundFilters, ...paging }).refine(isSpan, NO_SPAN))
    .output(pageOf(listedRefund)),
  exportRefunds: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/refunds.csv",
      tags: ["Invoices"],
      summary: "Download refunds as CSV",
      description: `All refunds that match the filters, newest first: ${CSV_FORMAT}`,
    })
    .input(z.object({ workspaceId: z.string(), ...refundFilters }).refine(isSpan, NO_SPAN))
    .output(csvFile),
  refund: memberApi("Manager")
    .meta({ idempotent: true, callsProcessor: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/invoices/{invoiceId}/refunds",
      tags: ["Invoices"],
      summary: "Refund an invoice",
      description:
        "Returns the invoice. The money goes back to the advertiser's card; the subscription continues. The advertiser gets an email. A 422 at `amount` for more than is left; a 409 if nothing is left, nothing was paid, or the bank has taken the payment back.",
    })
    .input(z.object({ workspaceId: z.string(), invoiceId: z.string(), ...refundTerms.shape }))
    .output(invoice),
};
