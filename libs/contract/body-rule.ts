import type { OpenAPI } from "@orpc/contract";

/** For a route's `spec`: adds to the description of its body what several values have to keep together. */
export function describeBody(rule: object) {
  return (operation: OpenAPI.OperationObject): OpenAPI.OperationObject => {
    const { requestBody } = operation;
    if (requestBody === undefined || !("content" in requestBody)) return operation;
    const content = Object.entries(requestBody.content).map(([type, media]) => [
      type,
      { ...media, schema: { ...media.schema, ...rule } },
    ]);
    return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } };
  };
}
