import { Grid, Group, Stack, Text } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { query } from "../api/client.ts";
import { statusOf } from "../api/problems.ts";
import { fieldsQuery, openRevisionQuery } from "../api/queries.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { EditBadge, ReviewBadge, RunBadges } from "../components/badges.tsx";
import type { Days } from "../components/days.tsx";
import { LinkTo } from "../components/links.tsx";
import { Notice } from "../components/notice.tsx";
import { Page } from "../components/page.tsx";
import { Empty, QueryView } from "../components/states.tsx";
import { AdActions } from "../review/ad-actions.tsx";
import { Conflict, ReviewNote } from "../review/notices.tsx";
import { RevisionSection } from "../review/revision-section.tsx";
import { useDecide, useDecideRevision } from "../review/use-decide.ts";
import { CreativeSection } from "./creative-section.tsx";
import { ServingSection, whyNotServed } from "./serving-section.tsx";
import { StatsSection } from "./stats-section.tsx";
import { SubscriptionSection } from "./subscription-section.tsx";
import { TrafficSection } from "./traffic-section.tsx";

/** One ad: content, decisions, stats and subscription. */
export function AdPage() {
  const { id: workspaceId } = useWorkspace();
  const { adId } = useParams({ from: "/signed-in/w/$workspaceId/ads/$adId" });
  const ad = useQuery(query.ads.get.queryOptions({ input: { workspaceId, adId } }));
  const fields = useQuery(fieldsQuery(workspaceId));

  if (ad.data !== undefined && fields.data !== undefined) {
    return <AdView key={adId} ad={ad.data} fields={fields.data} />;
  }
  return (
    <Page title="Ad">
      {statusOf(ad.error) === 404 ? (
        <Empty
          title="Ad not found"
          text="The address may be mistyped, or the ad belongs to another workspace."
          action={
            <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }}>
              All ads
            </LinkTo>
          }
        />
      ) : (
        <QueryView query={ad}>{() => <QueryView query={fields}>{() => null}</QueryView>}</QueryView>
      )}
    </Page>
  );
}

function AdView({ ad, fields }: { readonly ad: Ad; readonly fields: readonly Field[] }) {
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
  const eligibility = useQuery(query.ads.eligibility.queryOptions({ input: { workspaceId, adId: ad.id } }));
  // Before that there is nothing to count.
  const hasRun = ad.status === "Approved" || typeof eligibility.data?.servingSince === "string";
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
          <RunBadges ad={ad} isServing={isServing} />
          {openRevision === null ? null : <EditBadge revision={openRevision} />}
        </Group>
        {mayDecide ? null : (
          <Notice color="gray" icon={<IconEye />} title="View only">
            You’re a viewer in this workspace. Managers and owners review ads.
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
              {hasRun ? (
                <>
                  <StatsSection adId={ad.id} days={days} onDays={showDays} />
                  <TrafficSection adId={ad.id} days={days} />
                </>
              ) : null}
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
