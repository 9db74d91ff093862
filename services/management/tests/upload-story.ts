import { submittedAd } from "#libs/contract/checkout.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import type { ManagementUnderTest } from "./management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "./story.ts";

/** The smallest PNG there is: one pixel. */
export const A_PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The pixel, said to be of another size. */
export function aPngOfSize(width: number, height: number): Buffer<ArrayBuffer> {
  const png = Buffer.concat([A_PIXEL]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** A workspace that asks its advertisers for a logo, and an advertiser who has paid. */
export async function aLogoCampaign(service: Pick<ManagementUnderTest, "origin">) {
  const publisher = await aPublisher(service);
  const logo = await aField(publisher, { name: "Logo", type: "Image" });
  const { prices } = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const { caller } = checkout;
  const creative = (value: unknown) => ({
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [{ fieldId: logo.id, value }],
  });
  return {
    publisher,
    checkout,
    /** A second advertiser who has paid. */
    another: () => aPaidCheckout(service, publisher, prices[0]?.id ?? ""),
    logo,
    /** A grant for a PNG of that length. */
    grant: (contentLength = A_PIXEL.length) =>
      caller.ok(uploadGrant, "POST", `${checkout.path}/uploads`, {
        fileName: "logo.png",
        contentType: "image/png",
        contentLength,
      }),
    /** An upload that has arrived. */
    async upload(bytes: Buffer<ArrayBufferLike> = A_PIXEL) {
      const grant = await this.grant(bytes.length);
      const body = new Uint8Array(bytes);
      const sent = await fetch(grant.uploadUrl, { method: "PUT", headers: grant.headers, body });
      if (!sent.ok) throw new Error(`the upload was answered ${sent.status}: ${await sent.text()}`);
      return grant;
    },
    submit: (value: unknown, { path }: { readonly path: string } = checkout) =>
      caller.ok(submittedAd, "POST", `${path}/ad`, creative(value)),
    refuse: (value: unknown) => caller.refused(422, "POST", `${checkout.path}/ad`, creative(value)),
  };
}
