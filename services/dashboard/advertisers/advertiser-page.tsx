import { Group, Stack, Text } from "@mantine/core";
import { IconCalendarOff, IconUserOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Figures } from "../ads/figures.tsx";
import { Notice } from "../ads/notice.tsx";
import { Section } from "../ads/section.tsx";
import { query } from "../shell/client.ts";
import { formatCount, formatDate, formatMoney, formatPercent } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { Page } from "../shell/page.tsx";
import { statusOf } from "../shell/problems.ts";
import { Empty, QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { AdvertiserBadge } from "./advertiser-badge.tsx";
import type { Advertiser } from "./advertiser-state.ts";
import { HistorySection } from "./history-section.tsx";
import { InvoicesSection } from "./invoices-section.tsx";
import { PersonalDataSection } from "./personal-data-section.tsx";

/** One advertiser: what they bring in, what they run and ran, what they were billed. */
export function AdvertiserPage() {
  const { id: workspaceId } = useWorkspace();
  const { advertiserId } = useParams({ from: "/signed-in/w/$workspaceId/advertisers/$advertiserId" });
  const advertiser = useQuery(query.advertisers.get.queryOptions({ input: { workspaceId, advertiserId } }));
  const allAdvertisers = (
    <LinkTo to="/w/$workspaceId/advertisers" params={{ workspaceId }} size="sm">
      Advertisers
    </LinkTo>
  );
  return (
    <Stack gap="xs">
      <Text component="nav" aria-label="Breadcrumb" size="sm">
        {allAdvertisers}
      </Text>
      <Page title={advertiser.data?.name ?? "Advertiser"}>
        {statusOf(advertiser.error) === 404 ? (
          <Empty
            title="There is no such advertiser"
            text="The address may be mistyped, or the advertiser belongs to another workspace."
            action={allAdvertisers}
          />
        ) : (
          <QueryView query={advertiser}>{(found) => <AdvertiserView advertiser={found} />}</QueryView>
        )}
      </Page>
    </Stack>
  );
}

function AdvertiserView({ advertiser }: { readonly advertiser: Advertiser }) {
  const { totals } = advertiser;
  return (
    <>
      <Group gap="xs">
        <AdvertiserBadge totals={totals} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {advertiser.email ?? "No e-mail address"}. Advertiser since {formatDate(advertiser.createdAt)}.
        </Text>
      </Group>
      <Leaving totals={totals} />
      <Section title="Totals">
        <Figures figures={figuresOf(totals)} />
      </Section>
      <HistorySection ads={advertiser.ads} />
      <InvoicesSection key={advertiser.id} advertiserId={advertiser.id} />
      <PersonalDataSection advertiser={advertiser} />
    </>
  );
}

/** That an advertiser has left, or is about to. */
function Leaving({ totals }: Pick<Advertiser, "totals">) {
  if (totals.churnedAt !== null) {
    return (
      <Notice color="gray" icon={<IconUserOff />} title={`Churned on ${formatDate(totals.churnedAt)}`}>
        The last subscription lapsed that day. Nothing is running, and nothing more is charged.
      </Notice>
    );
  }
  if (!totals.canceling) return null;
  return (
    <Notice color="orange" icon={<IconCalendarOff />} title="Canceling">
      {totals.cancellationSummary} Until then the ads are served as before.
    </Notice>
  );
}

function figuresOf(totals: Advertiser["totals"]) {
  const { monthlyAmount, lifetimeAmount, currency, nextRenewalAt, impressions, clicks } = totals;
  return [
    {
      name: "Monthly",
      value: formatMoney(monthlyAmount, currency),
      hint: nextRenewalAt === null ? "No renewal ahead" : `Next renewal ${formatDate(nextRenewalAt)}`,
    },
    { name: "Lifetime", value: formatMoney(lifetimeAmount, currency), hint: "Charged so far" },
    {
      name: "Active ads",
      value: `${formatCount(totals.activeAds)} of ${formatCount(totals.ads)}`,
      hint: `${formatCount(totals.activeSubscriptions)} active ${totals.activeSubscriptions === 1 ? "subscription" : "subscriptions"}`,
    },
    {
      name: "Impressions",
      value: formatCount(impressions),
      hint: `${formatCount(clicks)} clicks, CTR ${formatPercent(clicks / impressions)}`,
    },
  ];
}
