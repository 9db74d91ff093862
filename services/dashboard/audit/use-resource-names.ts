import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { priceWords } from "../ads/price-words.ts";
import { fieldsQuery } from "../fields/fields-query.ts";
import { membersQuery } from "../settings/members-query.ts";
import { query } from "../shell/client.ts";
import { tiersQuery } from "../tiers/tiers-query.ts";
import type { ResourceNames } from "./shapes.ts";

/** As many ads as one look-up answers; older ones are told of without their names. */
const ADS = 100;

/** What the workspace's resources are called today, by id, as far as it has been loaded. */
export function useResourceNames(workspaceId: string): ResourceNames {
  const { data: tiers = [] } = useQuery(tiersQuery(workspaceId));
  const { data: fields = [] } = useQuery(fieldsQuery(workspaceId));
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  const { data: ads } = useQuery(query.ads.list.queryOptions({ input: { workspaceId, perPage: ADS } }));
  return useMemo(
    () =>
      new Map([
        ...tiers.map(({ id, name }) => [id, name] as const),
        ...tiers.flatMap(({ prices }) => prices.map((price) => [price.id, priceWords(price)] as const)),
        ...fields.map(({ id, name }) => [id, name] as const),
        ...members.map(({ id, person }) => [id, person.name] as const),
        ...(ads?.items ?? []).map(({ id, name }) => [id, name] as const),
      ]),
    [tiers, fields, members, ads],
  );
}
