import { Anchor, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { Tier } from "#libs/contract/tiers.ts";
import { query } from "../api/client.ts";
import { tiersQuery } from "../api/queries.ts";
import { advertiseLink, useMay, useWorkspace } from "../api/workspace.ts";
import { ALL_TIERS, EditLink } from "../components/edit-page.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonTo } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { NEW } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { SortableList } from "../components/sortable/sortable-list.tsx";
import { Empty, QueryView } from "../components/states.tsx";
import { NewTierPage } from "./new-tier-page.tsx";
import { TierEditPage } from "./tier-edit-page.tsx";
import { type TierFigures, TierRow, TierSold } from "./tier-row.tsx";
import { useArchiveTier, useMoveTier } from "./use-change-tier.ts";

/** What is shown is of now, and the same for any. */
const FIGURES_OF_DAYS = 30;

/** The list of tiers, or the tier that the address names. */
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

/** The tiers on sale in the order that advertisers see, then the archived ones. */
function TierListPage({ tiers }: { readonly tiers: UseQueryResult<Tier[], Error> }) {
  const workspace = useWorkspace();
  const mayChange = useMay("Manager");
  const newTier = (
    <ButtonTo
      to="/w/$workspaceId/tiers"
      params={{ workspaceId: workspace.id }}
      search={{ edit: NEW }}
      leftSection={<Icon name="plus" />}
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
  const move = useMoveTier();
  // The row says less where they can't be read.
  const totals = useQuery(
    query.subscriptions.totals.queryOptions({ input: { workspaceId: workspace.id, days: FIGURES_OF_DAYS } }),
  );
  const figures = new Map(totals.data?.tiers.map((one) => [one.tier.id, one]));
  const onSale = tiers.filter(({ isActive }) => isActive);
  const archived = tiers.filter(({ isActive }) => !isActive);
  return (
    <Stack gap="xl">
      <Section
        isPlain
        size="h4"
        title="On sale"
        text={
          <>
            Advertisers see them in this order on your{" "}
            <Anchor href={advertiseLink(workspace)} target="_blank" rel="noopener" inherit underline="always">
              advertising page <Icon name="external-link" size="0.9em" aria-label="(opens in a new tab)" />
            </Anchor>
            .
          </>
        }
      >
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
            {(tier, handle) => (
              <TierRow tier={tier} figures={figures.get(tier.id)} handle={handle} mayChange={mayChange} />
            )}
          </SortableList>
        )}
      </Section>
      {archived.length === 0 ? null : (
        <ArchivedTiers tiers={archived} figures={figures} mayChange={mayChange} />
      )}
    </Stack>
  );
}

interface ArchivedTiersProps {
  readonly tiers: readonly Tier[];
  readonly figures: ReadonlyMap<string, TierFigures>;
  readonly mayChange: boolean;
}

function ArchivedTiers({ tiers, figures, mayChange }: ArchivedTiersProps) {
  const { isBusy, act: unarchive } = useArchiveTier();
  return (
    <Section isPlain size="h4" title="Archived" text="Not for sale. Ads already bought in them keep running.">
      {tiers.map((tier) => (
        <Paper key={tier.id} withBorder p="sm" bg="transparent">
          <Group gap="sm" justify="space-between">
            <div>
              <EditLink list={ALL_TIERS} id={tier.id} name={tier.name} mayChange={mayChange} />
              <TierSold figures={figures.get(tier.id)} />
            </div>
            {mayChange ? (
              <Button
                variant="default"
                size="xs"
                disabled={isBusy}
                aria-label={`Put back on sale: ${tier.name}`}
                onClick={() => void unarchive(tier)}
              >
                Put back on sale
              </Button>
            ) : null}
          </Group>
        </Paper>
      ))}
    </Section>
  );
}
