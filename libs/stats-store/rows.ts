import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";

/** The rows of a query's result, numbers as numbers. Rejects as the client does. */
export async function rowsOf<Row>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
  settings: ClickHouseSettings = {},
): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params,
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, ...settings },
  });
  return result.json<Row>();
}
