import { afterAll, expect, it } from "vitest";
import { buy, invoicesOf } from "#libs/payments/tests/purchase.ts";
import { runSandbox } from "#libs/payments/tests/running-sandbox.ts";
import { invoicePdf } from "./invoice-pdf.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());

/** The texts of a PDF, read as a reader does: from its end, by the table of offsets. Throws where one is wrong. */
function textsOf(pdf: Buffer): string[] {
  const file = pdf.toString("latin1");
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  const offsets = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
  const objects = offsets.map((at, index) => {
    const object = file.slice(at);
    if (!object.startsWith(`${index + 1} 0 obj\n`)) throw new Error(`Object ${index + 1} is not at ${at}.`);
    return object.slice(0, object.indexOf("endobj"));
  });
  if (!file.startsWith("%PDF-1.4\n") || !file.startsWith("xref\n0 6\n", table) || objects.length !== 5) {
    throw new Error("This is no PDF.");
  }
  const [, length, stream = ""] =
    /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(objects[3] ?? "") ?? [];
  if (stream.length !== Number(length)) throw new Error("The stream has another length.");
  return [...stream.matchAll(/\((.*)\) Tj/g)].map(([, text = ""]) => text);
}

it("has the invoice's lines and sums as a PDF", async () => {
  const { id } = await buy(sandbox, { payer: { name: "Café (Harbour)" } });
  const [invoice] = await invoicesOf(sandbox, id);

  const response = await fetch(invoice?.invoice_pdf ?? "");
  const texts = textsOf(Buffer.from(await response.arrayBuffer()));

  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toBe(`inline; filename="${invoice?.number}.pdf"`);
  expect(texts[0]).toBe(`Invoice ${invoice?.number}`);
  expect(texts[1]).toMatch(/^For Café \\\(Harbour\\\), /);
  expect(texts.slice(texts.indexOf("Total"))).toEqual([
    "Total",
    "EUR 49.00",
    "Paid",
    "EUR 49.00",
    "Status",
    "paid",
    "No money moved: this is the payment sandbox.",
    "",
  ]);
});

it("is a PDF whatever the texts are", () => {
  const texts = textsOf(invoicePdf("\\(1)\n漢字", [["endstream", "\u00a05\u202f000"]]));

  expect(texts).toEqual(["\\\\\\(1\\)???", "endstream", " 5 000"]);
});
