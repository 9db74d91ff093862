import { JSON_SCHEMA_OUTPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";

/** A JSON document of any length: a stream where it is answered, a file where it arrives. */
export const jsonFile = z.custom<File | ReadableStream<Uint8Array>>(
  (given) => given instanceof File || given instanceof ReadableStream,
);
JSON_SCHEMA_OUTPUT_REGISTRY.add(jsonFile, { type: "object" });
