import type { Ad } from "#libs/contract/ad.ts";
import { useMoment } from "../api/processor-clock.ts";
import { useWorkspace } from "../api/workspace.ts";
import { SubscriptionBadge } from "../components/badges.tsx";
import { Dimmed } from "../components/dimmed.tsx";
import { EmailText } from "../components/email-text.tsx";
import { formatDate, formatMoney, priceWords } from "../components/format.ts";
import { LinkTo } from "../components/links.tsx";
import { Fact, Facts } from "../components/lists.tsx";
import { Section } from "../components/section.tsx";
import { endWords, paidTimeWords } from "../components/subscription-words.ts";

/** The subscription of an ad, its advertiser and its billing. */
export function SubscriptionSection({ ad }: { readonly ad: Ad }) {
  const { id: workspaceId } = useWorkspace();
  const { subscription } = ad;
  const { advertiser, tier, tierPrice, paidAmount, cancellationComment } = subscription;
  const end = endWords(subscription);
  const { atProcessor } = useMoment();
  const paid = ad.status === "Pending" ? paidTimeWords(subscription, atProcessor) : null;
  return (
    <Section title="Subscription">
      <Facts>
        <Fact name="Status">
          <SubscriptionBadge subscription={subscription} />
        </Fact>
        <Fact name="Advertiser">
          <LinkTo
            to="/w/$workspaceId/advertisers/$advertiserId"
            params={{ workspaceId, advertiserId: advertiser.id }}
            size="sm"
          >
            <bdi>{advertiser.name}</bdi>
          </LinkTo>
          <Dimmed size="xs" style={{ overflowWrap: "anywhere" }}>
            <EmailText email={advertiser.email} />
          </Dimmed>
        </Fact>
        <Fact name="Tier">
          <bdi>{tier.name}</bdi> (weight {tier.weight})
        </Fact>
        <Fact name="Price">{priceWords(tierPrice)}</Fact>
        {paidAmount === null || paidAmount === tierPrice.amount ? null : (
          <Fact name="Last paid">{formatMoney(paidAmount, tierPrice.currency)}</Fact>
        )}
        {paid === null ? null : <Fact name="Payment">{paid}</Fact>}
        {end === null ? null : <Fact name={end.name}>{formatDate(end.at)}</Fact>}
        {end?.why === undefined ? null : <Fact name="Reason">{end.why}</Fact>}
        {cancellationComment === null ? null : (
          <Fact name="Comment">
            <bdi dir="auto" style={{ whiteSpace: "pre-wrap" }}>
              {cancellationComment}
            </bdi>
          </Fact>
        )}
        {subscription.refundDueSince === null ? null : (
          <Fact name="Refund">
            Due since {formatDate(subscription.refundDueSince)}. The payment processor hasn’t made it yet, for
            example because your balance there is too low. It’s tried again every hour.
          </Fact>
        )}
        <Fact name="Submitted">{formatDate(ad.createdAt)}</Fact>
        {ad.reviewedAt === null ? null : <Fact name="Reviewed">{formatDate(ad.reviewedAt)}</Fact>}
      </Facts>
    </Section>
  );
}
