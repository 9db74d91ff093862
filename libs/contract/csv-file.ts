import { JSON_SCHEMA_OUTPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";

/** A stream where it is answered, a file where it arrives. */
export const csvFile = z.custom<File | ReadableStream<Uint8Array>>(
  (given) => given instanceof File || given instanceof ReadableStream,
);
JSON_SCHEMA_OUTPUT_REGISTRY.add(csvFile, { type: "string", contentMediaType: "text/csv" });

/** What every CSV file has in common, as the end of a description. */
export const CSV_FORMAT =
  "RFC 4180 in UTF-8 with a byte order mark, one line of headings. Amounts are in the smallest currency unit. An apostrophe precedes text that a spreadsheet would read as a formula.";
