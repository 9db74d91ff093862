import { Grid, Group, Stack, Text } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { RevisionSection } from "../revisions/revision-section.tsx";
import { useDecideRevision } from "../revisions/use-decide-revision.ts";
import type { Days } from "../shell/days.tsx";
import { LinkTo } from "../shell/links.tsx";
import { Page } from "../shell/page.tsx";
import { useMay, useWorkspace } from "../shell/workspace.tsx";
import { AdActions } from "./ad-actions.tsx";
import { openRevisionQuery } from "./ad-queries.ts";
import type { Ad, Field } from "./ad-shapes.ts";
import { EditBadge, ReviewBadge, ServingBadge } from "./badges.tsx";
import { Conflict } from "./conflict.tsx";
import { CreativeSection } from "./creative-section.tsx";
import { Notice } from "./notice.tsx";
import { ReviewNote } from "./review-note.tsx";
import { ServingSection } from "./serving-section.tsx";
import { whyNotServed } from "./serving-state.ts";
import { StatsSection } from "./stats-section.tsx";
import { SubscriptionSection } from "./subscription-section.tsx";
import { TrafficSection } from "./traffic-section.tsx";
import { useDecide } from "./use-decide.ts";

interface AdViewProps {
  readonly ad: Ad;
  readonly fields: readonly Field[];
}

/** An ad that is loaded: first what waits for a decision, then how it does. */
export function AdView({ ad, fields }: AdViewProps) {
  const { id: workspaceId } = useWorkspace();
  const mayDecide = useMay("Manager");
  const { days = 30 } = useSearch({ from: "/signed-in/w/$workspaceId/ads/$adId" });
  const navigate = useNavigate({ from: "/w/$workspaceId/ads/$adId" });
  const decide = useDecide(ad);
  const decideRevision = useDecideRevision(ad.id);
  const revision = useQuery({
    ...openRevisionQuery(workspaceId, ad.id),
    enabled: ad.status === "Approved",
  });
  const isServing = whyNotServed(ad, Date.now()).length === 0;
  const openRevision = ad.status === "Approved" ? (revision.data ?? null) : null;
  const showDays = (chosen: Days) =>
    void navigate({ search: { days: chosen }, replace: true, resetScroll: false });

  return (
    <Stack gap="xs">
      <Text component="nav" aria-label="Breadcrumb" size="sm">
        <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="sm">
          Ads
        </LinkTo>
      </Text>
      <Page title={ad.name} actions={<AdActions ad={ad} isServing={isServing} decide={decide} />}>
        <Group gap="xs" role="status">
          <ReviewBadge ad={ad} />
          <ServingBadge isServing={isServing} />
          {openRevision === null ? null : <EditBadge revision={openRevision} />}
        </Group>
        {mayDecide ? null : (
          <Notice color="gray" icon={<IconEye />} title="You can look, not decide">
            Your role in this workspace is Viewer. A manager or owner reviews ads.
          </Notice>
        )}
        <Conflict error={decide.error} fields={fields} onClose={decide.reset} />
        <Conflict error={decideRevision.error} fields={fields} onClose={decideRevision.reset} />
        <ReviewNote ad={ad} />
        {openRevision === null ? null : (
          <RevisionSection ad={ad} revision={openRevision} fields={fields} decide={decideRevision} />
        )}
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="lg">
              <CreativeSection ad={ad} fields={fields} />
              <StatsSection adId={ad.id} days={days} onDays={showDays} />
              <TrafficSection adId={ad.id} days={days} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack gap="lg">
              <ServingSection ad={ad} />
              <SubscriptionSection ad={ad} />
            </Stack>
          </Grid.Col>
        </Grid>
      </Page>
    </Stack>
  );
}
