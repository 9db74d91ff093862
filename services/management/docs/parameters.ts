import type { OpenAPI } from "@orpc/openapi";

type Parameter = NonNullable<OpenAPI.OperationObject["parameters"]>[number];

/**
 * Query parameters as a reader wants them: an empty value is not a value, and a bracketed object is one parameter for
 * each of its keys (`weight[gte]`, `weight[lt]`).
 */
export function plainParameters(parameters: readonly Parameter[] | undefined): Parameter[] {
  return (parameters ?? []).flatMap((parameter): Parameter[] => {
    if (!("in" in parameter) || parameter.in !== "query") return [parameter];
    const { allowEmptyValue: _emptyIsNoValue, ...rest } = parameter;
    const properties = propertiesOf(rest.schema);
    if (properties === undefined) return [rest];
    return Object.entries(properties).map(([key, schema]) => ({
      name: `${rest.name}[${key}]`,
      in: "query",
      required: false,
      schema,
    }));
  });
}

function propertiesOf(schema: object | undefined): object | undefined {
  if (schema === undefined || !("properties" in schema)) return undefined;
  return typeof schema.properties === "object" && schema.properties !== null ? schema.properties : undefined;
}
