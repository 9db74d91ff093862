import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Advertiser } from "#libs/contract/advertisers.ts";
import { query } from "../api/client.ts";
import { statusOf } from "../api/problems.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { EmailText } from "../components/email-text.tsx";
import { Figure, Figures } from "../components/figures.tsx";
import {
  formatClickRate,
  formatCount,
  formatCounted,
  formatDate,
  formatMoney,
} from "../components/format.ts";
import { LinkTo } from "../components/links.tsx";
import { Notice } from "../components/notice.tsx";
import { Page } from "../components/page.tsx";
import { ReportLink } from "../components/report-link.tsx";
import { Section } from "../components/section.tsx";
import { Empty, QueryView } from "../components/states.tsx";
import { AdvertiserBadge } from "./advertiser-badge.tsx";
import { HistorySection } from "./history-section.tsx";
import { InvoicesSection } from "./invoices-section.tsx";
import { PersonalDataSection } from "./personal-data-section.tsx";

/** One advertiser: totals, ads and invoices. */
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
    <Page title={advertiser.data?.name ?? "Advertiser"} above={allAdvertisers}>
      {statusOf(advertiser.error) === 404 ? (
        <Empty
          title="Advertiser not found"
          text="The address may be mistyped, or the advertiser belongs to another workspace."
          action={allAdvertisers}
        />
      ) : (
        <QueryView query={advertiser}>{(found) => <AdvertiserView advertiser={found} />}</QueryView>
      )}
    </Page>
  );
}

function AdvertiserView({ advertiser }: { readonly advertiser: Advertiser }) {
  const { totals } = advertiser;
  return (
    <>
      <Group gap="xs">
        <AdvertiserBadge totals={totals} />
        <Dimmed style={{ overflowWrap: "anywhere" }}>
          {advertiser.email === null ? "No email address" : <EmailText email={advertiser.email} />}.
          Advertiser since {formatDate(advertiser.createdAt)}.
        </Dimmed>
      </Group>
      <Leaving totals={totals} />
      <Section title="Totals" actions={<ReportLink of={{ advertiser: advertiser.id }} />}>
        <Totals totals={totals} />
      </Section>
      <HistorySection id={advertiser.id} ads={advertiser.ads} total={totals.ads} />
      <InvoicesSection key={advertiser.id} advertiserId={advertiser.id} />
      <PersonalDataSection advertiser={advertiser} />
    </>
  );
}

function Leaving({ totals }: Pick<Advertiser, "totals">) {
  if (totals.churnedAt !== null) {
    return (
      <Notice color="gray" icon="user-off" title={`Canceled on ${formatDate(totals.churnedAt)}`}>
        The last subscription ended that day.
      </Notice>
    );
  }
  if (!totals.canceling) return null;
  return (
    <Notice color="orange" icon="calendar-off" title="Canceling">
      {totals.cancellationSummary} Their ads keep running until then.
    </Notice>
  );
}

function Totals({ totals }: Pick<Advertiser, "totals">) {
  const { activeAds, ads, activeSubscriptions, monthlyAmount, lifetimeAmount, currency, nextRenewalAt } =
    totals;
  return (
    <Figures cols={{ base: 1, xs: 2, md: 3, lg: 5 }}>
      <Figure
        name="Monthly"
        value={formatMoney(monthlyAmount, currency)}
        hint={nextRenewalAt === null ? "No upcoming renewal" : `Next renewal ${formatDate(nextRenewalAt)}`}
      />
      <Figure
        name="Owed"
        value={formatMoney(totals.unpaidAmount, currency)}
        hint={
          totals.pastDueSubscriptions === 0
            ? "On open invoices"
            : formatCounted(totals.pastDueSubscriptions, "subscription past due", "subscriptions past due")
        }
      />
      <Figure name="Lifetime" value={formatMoney(lifetimeAmount, currency)} hint={lifetimeHint(totals)} />
      <Figure
        name="Active ads"
        value={`${formatCount(activeAds)} of ${formatCount(ads)}`}
        hint={formatCounted(activeSubscriptions, "active subscription")}
      />
      <Figure
        name="Impressions"
        value={formatCount(totals.impressions)}
        hint={`${formatCounted(totals.clicks, "click")}, CTR ${formatClickRate(totals)}`}
      />
    </Figures>
  );
}

function lifetimeHint({ lifetimeAmount, refundedAmount, currency }: Advertiser["totals"]): string {
  if (refundedAmount === 0) return "Charged so far";
  const charged = formatMoney(lifetimeAmount + refundedAmount, currency);
  return `${charged} charged, ${formatMoney(refundedAmount, currency)} refunded`;
}
