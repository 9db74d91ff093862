import { Grid, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { query } from "../api/client.ts";
import { statusOf } from "../api/problems.ts";
import { useMoment } from "../api/processor-clock.ts";
import { fieldsQuery, openRevisionQuery, reviewQueueQuery } from "../api/queries.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { EditBadge, ReviewBadge, RunBadges } from "../components/badges.tsx";
import type { Days } from "../components/days.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { formatWait } from "../components/format.ts";
import { LinkTo } from "../components/links.tsx";
import { NeverRanNotice } from "../components/never-ran.tsx";
import { Notice } from "../components/notice.tsx";
import { Page } from "../components/page.tsx";
import { Section } from "../components/section.tsx";
import { Empty, QueryView } from "../components/states.tsx";
import { AdActions } from "../review/ad-actions.tsx";
import { NextToReview } from "../review/next-to-review.tsx";
import { Conflict, ReviewNote } from "../review/notices.tsx";
import { ReviewBar } from "../review/review-bar.tsx";
import { RevisionSection } from "../review/revision-section.tsx";
import { SinceNote } from "../review/since-note.tsx";
import { useDecide, useDecideRevision } from "../review/use-decide.ts";
import { CorrectionsSection } from "./corrections-section.tsx";
import { CreativeSection } from "./creative-section.tsx";
import { PublisherValues } from "./publisher-values.tsx";
import { ScriptFreeSection } from "./script-free-section.tsx";
import { ServingSection, whyNotServed } from "./serving-section.tsx";
import { AdTrafficSection, StatsSection } from "./stats-section.tsx";
import { SubscriptionSection } from "./subscription-section.tsx";

/** How often an ad is read again while its charging settles. */
const CHARGING_MS = 3_000;

/** One ad: content, decisions, stats and subscription. */
export function AdPage() {
  const { id: workspaceId } = useWorkspace();
  const { adId } = useParams({ from: "/signed-in/w/$workspaceId/ads/$adId" });
  const ad = useQuery(
    query.ads.get.queryOptions({
      input: { workspaceId, adId },
      // The first period starts, or the renewal is released, in the background a moment after the approval.
      refetchInterval: ({ state }) => (isBeingCharged(state.data) ? CHARGING_MS : false),
    }),
  );
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

function isBeingCharged(ad: Ad | undefined): boolean {
  return ad?.status === "Approved" && ad.subscription.awaitsApproval && !hasEnded(ad.subscription.status);
}

function AdView({ ad, fields }: { readonly ad: Ad; readonly fields: readonly Field[] }) {
  const { id: workspaceId } = useWorkspace();
  const mayDecide = useMay("Manager");
  const { days = 30 } = useSearch({ from: "/signed-in/w/$workspaceId/ads/$adId" });
  const navigate = useNavigate({ from: "/w/$workspaceId/ads/$adId" });
  const revision = useQuery({
    ...openRevisionQuery(workspaceId, ad.id),
    enabled: ad.status === "Approved",
  });
  const openRevision = ad.status === "Approved" ? (revision.data ?? null) : null;
  const decide = useDecide(ad);
  const decideRevision = useDecideRevision(ad.id, openRevision);
  const heading = useHeadingFocus();
  const { atProcessor } = useMoment();
  const isServing = whyNotServed(ad, atProcessor).length === 0;
  const eligibility = useQuery(query.ads.eligibility.queryOptions({ input: { workspaceId, adId: ad.id } }));
  // Before that there is nothing to count.
  const hasRun = ad.status === "Approved" || typeof eligibility.data?.servingSince === "string";
  const showDays = (chosen: Days) =>
    void navigate({ search: { days: chosen }, replace: true, resetScroll: false });

  return (
    <Page
      title={ad.name}
      above={
        <LinkTo to="/w/$workspaceId/ads" params={{ workspaceId }} size="sm">
          Ads
        </LinkTo>
      }
      headingRef={heading}
      actions={<AdActions ad={ad} isServing={isServing} decide={decide} />}
    >
      <Group gap="xs" role="status">
        <ReviewBadge ad={ad} />
        <RunBadges ad={ad} isServing={isServing} />
        {openRevision === null || hasEnded(ad.subscription.status) ? null : (
          <EditBadge revision={openRevision} />
        )}
        <Waiting ad={ad} />
      </Group>
      <ReviewBar adId={ad.id} />
      <NextToReview decide={decide} heading={heading} />
      <NextToReview decide={decideRevision} heading={heading} />
      {mayDecide ? null : (
        <Notice color="gray" icon="eye" title="View only">
          You’re a viewer in this workspace. Managers and owners review ads.
        </Notice>
      )}
      <Conflict error={decide.error} fields={fields} onClose={decide.reset} />
      <Conflict error={decideRevision.error} fields={fields} onClose={decideRevision.reset} />
      <ReviewNote ad={ad} />
      <NeverRanNotice ad={ad} />
      {ad.previous === null || ad.rejectionNote !== null ? null : (
        <Section title="Changes since your note">
          <SinceNote previous={ad.previous} submitted={ad} fields={fields} />
        </Section>
      )}
      {openRevision === null ? null : (
        <RevisionSection ad={ad} revision={openRevision} fields={fields} decide={decideRevision} />
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="lg">
            {openRevision === null ? <CreativeSection ad={ad} fields={fields} /> : null}
            {mayDecide && ad.status !== "Rejected" ? <PublisherValues ad={ad} fields={fields} /> : null}
            {hasRun ? (
              <>
                <StatsSection adId={ad.id} days={days} onDays={showDays} />
                <AdTrafficSection adId={ad.id} days={days} />
                <CorrectionsSection adId={ad.id} />
                {ad.status === "Approved" ? <ScriptFreeSection ad={ad} /> : null}
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
  );
}

/** How long a pending ad has waited for the publisher, if it is among those that have waited longest. */
function Waiting({ ad }: { readonly ad: Ad }) {
  const queue = useQuery(reviewQueueQuery(useWorkspace().id));
  const entry = queue.data?.items.find(({ adId, kind }) => adId === ad.id && kind === "ad");
  if (entry === undefined || ad.status !== "Pending" || ad.rejectionNote !== null) return null;
  return <Dimmed span>Waiting {formatWait(entry.submittedAt, Date.now())}</Dimmed>;
}

/** The page's heading, which gets the focus if the link that opened the page is gone. */
function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const isNext = useLocation({ select: ({ state }) => state.isNext === true });
  useEffect(() => {
    if (isNext) heading.current?.focus();
  }, [isNext]);
  return heading;
}
