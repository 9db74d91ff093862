import type { OpenAPI } from "@orpc/contract";

/** For a route's `spec`: changes the description of its body, for what several values have to keep together. */
export function describeBody(change: (body: OpenAPI.SchemaObject) => object) {
  return (operation: OpenAPI.OperationObject): OpenAPI.OperationObject => {
    const { requestBody } = operation;
    if (requestBody === undefined || !("content" in requestBody)) return operation;
    const content = Object.entries(requestBody.content).map(([type, media]) => [
      type,
      { ...media, schema: change({ ...media.schema }) },
    ]);
    return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } };
  };
}
