import { z } from "zod";
import { describeInterface } from "../reference/openapi.ts";

/** Headers that HTTP, browsers or security have on answers of any kind; an integrator reads none of them. */
const OF_ANY_ANSWER =
  /^(access-control-|cross-origin-|origin-agent-|x-(content-type|dns|download|frame|permitted|xss)-|content-(type|length|encoding|security-policy)$|(connection|x-robots-tag|date|keep-alive|transfer-encoding|vary|referrer-policy|strict-transport-security|set-cookie)$)/;

const reference = z.object({ $ref: z.string() });
const answer = z.object({ headers: z.record(z.string(), z.unknown()).default({}) });
const description = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ responses: z.record(z.string(), answer) }),
});

const { paths, components } = description.parse(await describeInterface("https://placard.example/v1"));
const operations = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, responses }) => [operationId, responses]),
);

/** The headers of an answer that the interface description has to name, in lower case and in order. */
export function sentHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => !OF_ANY_ANSWER.test(name)).toSorted();
}

/** The headers that the interface description names for that answer of an operation, in lower case and in order. */
export function declaredHeaders(operationId: string, status: number): string[] {
  const declared = operations.get(operationId)?.[String(status)];
  if (declared === undefined) throw new Error(`${operationId} declares no ${status}`);
  const shared = reference.safeParse(declared).data?.$ref;
  const found =
    shared === undefined ? declared : components.responses[shared.slice(shared.lastIndexOf("/") + 1)];
  return Object.keys(answer.parse(found).headers)
    .map((name) => name.toLowerCase())
    .toSorted();
}
