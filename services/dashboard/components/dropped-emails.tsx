import { List } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { DroppedEmails } from "#libs/contract/settings.ts";
import { query } from "../api/client.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { formatCounted, formatDate } from "./format.ts";
import { LinkTo } from "./links.tsx";
import { Notice } from "./notice.tsx";

/** Emails of the last 30 days that nobody received; `isBrief` leads to the settings for more. Nothing if there are none. */
export function DroppedEmailsNotice({ isBrief = false }: { readonly isBrief?: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const maySee = useMay("Manager");
  const { data } = useQuery({
    ...query.settings.droppedEmails.queryOptions({ input: { workspaceId } }),
    enabled: maySee,
  });
  if (!maySee || data === undefined || data.items.length === 0) return null;
  const total = data.items.reduce((sum, { emails }) => sum + emails, 0);
  const title = `${formatCounted(total, "email wasn’t", "emails weren’t")} delivered in the last 30 days`;
  return (
    <Notice color="yellow" icon="mail-off" title={title}>
      {isBrief ? (
        <LinkTo to="/w/$workspaceId/settings" params={{ workspaceId }} search={{ tab: "mails" }}>
          See which
        </LinkTo>
      ) : (
        <List size="sm">
          {data.items.map((item) => (
            <List.Item key={`${item.recipient} ${item.kind} ${item.reason}`}>{droppedWords(item)}</List.Item>
          ))}
        </List>
      )}
    </Notice>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  purchase: "purchases",
  adWaiting: "ads to review",
  paymentFailed: "failed payments",
  subscriptionCanceled: "cancellations",
  adAlert: "live ads",
  "missing-ad": "missing ads",
  links: "lost links",
  decision: "your decisions",
  pause: "pauses",
  refund: "refunds",
  billing: "billing",
  report: "reports",
};

const REASONS: Readonly<Record<DroppedEmails["reason"], string>> = {
  limit: "too many to one address in an hour",
  refused: "the mail server refused them",
  unsent: "every attempt to send them failed",
};

/** `3 to advertisers about refunds: too many to one address in an hour. Last on Nov 3, 2026.` */
function droppedWords({ recipient, kind, reason, emails, lastAt }: DroppedEmails): string {
  const members = kind === "report" ? "members" : "owners and managers";
  const to = recipient === "publisher" ? members : "advertisers";
  return `${emails} to ${to} about ${KINDS[kind] ?? kind}: ${REASONS[reason]}. Last on ${formatDate(lastAt)}.`;
}
