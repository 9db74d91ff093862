import { Anchor, Stack, Text, Title } from "@mantine/core";
import { IconExternalLink, IconPlus } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { NEW } from "../editing/search.ts";
import { ButtonTo } from "../shell/links.tsx";
import { Page } from "../shell/page.tsx";
import { Empty, QueryView } from "../shell/states.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { SortableList } from "../sortable/sortable-list.tsx";
import { advertiseLink } from "./advertise-link.ts";
import { ArchivedTiers } from "./archived-tiers.tsx";
import type { Tier } from "./shapes.ts";
import { TierRow } from "./tier-row.tsx";
import { useMoveTier } from "./use-move-tier.ts";

/** All tiers: those on sale in the order in which advertisers see them, archived ones apart. */
export function TierListPage({ tiers }: { readonly tiers: UseQueryResult<Tier[], Error> }) {
  const workspace = useWorkspace();
  const mayChange = useMay("Manager");
  const newTier = (
    <ButtonTo
      to="/w/$workspaceId/tiers"
      params={{ workspaceId: workspace.id }}
      search={{ edit: NEW }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      New tier
    </ButtonTo>
  );
  return (
    <Page title="Tiers" actions={mayChange ? newTier : undefined}>
      <QueryView query={tiers}>
        {(found) =>
          found.length === 0 ? (
            <Empty
              title="No tiers yet"
              text="A tier is what advertisers buy: a placement with a weight and one or more prices."
              action={mayChange ? newTier : undefined}
            />
          ) : (
            <Lists tiers={found} mayChange={mayChange} />
          )
        }
      </QueryView>
    </Page>
  );
}

function Lists({ tiers, mayChange }: { readonly tiers: readonly Tier[]; readonly mayChange: boolean }) {
  const workspace = useWorkspace();
  const move = useMoveTier(workspace.id);
  const onSale = tiers.filter(({ isActive }) => isActive);
  const archived = tiers.filter(({ isActive }) => !isActive);
  return (
    <Stack gap="xl">
      <Stack gap="sm" component="section" aria-labelledby="tiers-on-sale">
        <Title order={2} size="h4" id="tiers-on-sale">
          On sale
        </Title>
        <Text size="sm" c="dimmed">
          Advertisers see them in this order on your{" "}
          <Anchor href={advertiseLink(workspace)} target="_blank" rel="noopener" inherit underline="always">
            advertise page <IconExternalLink size="0.9em" aria-label="(opens in a new tab)" />
          </Anchor>
          .
        </Text>
        {onSale.length === 0 ? (
          <Text size="sm">Nothing is on sale: all tiers are archived.</Text>
        ) : (
          <SortableList
            items={onSale}
            label="Tiers on sale"
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            isFixed={!mayChange || onSale.length < 2}
            onMove={(from, to) => move(onSale, from, to)}
          >
            {(tier, handle) => <TierRow tier={tier} handle={handle} mayChange={mayChange} />}
          </SortableList>
        )}
      </Stack>
      {archived.length === 0 ? null : <ArchivedTiers tiers={archived} mayChange={mayChange} />}
    </Stack>
  );
}
