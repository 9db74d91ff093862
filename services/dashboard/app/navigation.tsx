import { Badge, Box, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { formatCount } from "../components/format.ts";
import { Icon } from "../components/icon.tsx";
import { NavLinkTo } from "../components/links.tsx";

const PLACES = [
  { to: "/w/$workspaceId/overview", label: "Overview", icon: "chart-bar" },
  { to: "/w/$workspaceId/reports", label: "Reports", icon: "report-analytics" },
  { to: "/w/$workspaceId/ads", label: "Ads", icon: "ad-2" },
  { to: "/w/$workspaceId/advertisers", label: "Advertisers", icon: "users" },
  { to: "/w/$workspaceId/payments", label: "Payments", icon: "receipt" },
  { to: "/w/$workspaceId/tiers", label: "Tiers", icon: "stack-2" },
  { to: "/w/$workspaceId/fields", label: "Fields", icon: "forms" },
  { to: "/w/$workspaceId/settings", label: "Settings", icon: "settings" },
  { to: "/w/$workspaceId/audit", label: "Audit log", icon: "history" },
] as const;

export function Navigation() {
  const { id: workspaceId } = useWorkspace();
  return (
    <Box component="nav" aria-label="Workspace" flex={1} mih={0} className="navigation">
      {PLACES.map(({ to, label, icon }) => (
        <NavLinkTo
          key={to}
          to={to}
          params={{ workspaceId }}
          label={label}
          leftSection={<Icon name={icon} size={18} />}
          {...(label === "Ads" ? { rightSection: <ToReview workspaceId={workspaceId} /> } : {})}
        />
      ))}
    </Box>
  );
}

function ToReview({ workspaceId }: { readonly workspaceId: string }) {
  const { data } = useQuery(reviewQueueQuery(workspaceId));
  const waiting = data === undefined ? 0 : data.ads + data.revisions;
  if (waiting === 0) return null;
  return (
    <Badge size="sm" circle={waiting < 10} variant="filled" color="red.9">
      {formatCount(waiting)}
      <VisuallyHidden> to review</VisuallyHidden>
    </Badge>
  );
}
