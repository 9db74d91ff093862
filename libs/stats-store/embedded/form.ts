import { ClickHouseException } from "./exception.ts";

/**
 * The fields of a form in a body, to be read as what stands in an address is: so the client sends parameters that are too
 * long for one. Empty for a body of another type. Throws `ClickHouseException`.
 */
export async function readForm(contentType: string | undefined, body: Buffer): Promise<[string, string][]> {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return [];
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } })
    .formData()
    .catch(() => {
      throw new ClickHouseException(36, "BAD_ARGUMENTS", "Cannot read the form");
    });
  return [...form].map(([name, value]) => {
    if (typeof value !== "string")
      throw new ClickHouseException(48, "NOT_IMPLEMENTED", "Tables in a form are not taken");
    return [name, value];
  });
}
