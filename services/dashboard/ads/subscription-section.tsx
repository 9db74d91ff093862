import { Text } from "@mantine/core";
import { formatDate, formatMoney } from "../shell/format.ts";
import { LinkTo } from "../shell/links.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import type { Ad } from "./ad-shapes.ts";
import { SubscriptionBadge } from "./badges.tsx";
import { Fact, Facts } from "./facts.tsx";
import { priceWords } from "./price-words.ts";
import { Section } from "./section.tsx";
import { endWords } from "./subscription-words.ts";

/** What was bought, by whom, and how billing stands. */
export function SubscriptionSection({ ad }: { readonly ad: Ad }) {
  const { id: workspaceId } = useWorkspace();
  const { subscription } = ad;
  const { advertiser, tier, tierPrice, paidAmount, cancellationComment } = subscription;
  const end = endWords(subscription);
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
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {advertiser.email}
          </Text>
        </Fact>
        <Fact name="Tier">
          <bdi>{tier.name}</bdi> (weight {tier.weight})
        </Fact>
        <Fact name="Price">{priceWords(tierPrice)}</Fact>
        {paidAmount === null || paidAmount === tierPrice.amount ? null : (
          <Fact name="Last paid">{formatMoney(paidAmount, tierPrice.currency)}</Fact>
        )}
        {end === null ? null : <Fact name={end.name}>{formatDate(end.at)}</Fact>}
        {end?.why === undefined ? null : <Fact name="Reason">{end.why}</Fact>}
        {cancellationComment === null ? null : (
          <Fact name="Comment">
            <bdi dir="auto" style={{ whiteSpace: "pre-wrap" }}>
              {cancellationComment}
            </bdi>
          </Fact>
        )}
        <Fact name="Submitted">{formatDate(ad.createdAt)}</Fact>
        {ad.reviewedAt === null ? null : <Fact name="Reviewed">{formatDate(ad.reviewedAt)}</Fact>}
      </Facts>
    </Section>
  );
}
