import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { NEW } from "../editing/search.ts";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { NewTierPage } from "./new-tier-page.tsx";
import { TierEditPage } from "./tier-edit-page.tsx";
import { TierListPage } from "./tier-list-page.tsx";
import { tiersQuery } from "./tiers-query.ts";

/** What advertisers can buy: the list, or the tier that the address names. */
export function TiersPage() {
  const { id } = useWorkspace();
  const { edit } = useSearch({ from: "/signed-in/w/$workspaceId/tiers" });
  const tiers = useQuery(tiersQuery(id));
  if (edit === NEW) return <NewTierPage />;
  if (edit === undefined) return <TierListPage tiers={tiers} />;
  return (
    <QueryView query={tiers}>
      {(found) => <TierEditPage key={edit} tier={found.find((tier) => tier.id === edit)} />}
    </QueryView>
  );
}
