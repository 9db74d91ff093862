/** As the processor has it; only a `paid` one has been charged. */
export const INVOICE_STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
