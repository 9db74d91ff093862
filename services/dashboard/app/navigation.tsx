import { Badge, Box, VisuallyHidden } from "@mantine/core";
import {
  IconAd2,
  IconChartBar,
  IconForms,
  IconHistory,
  IconReceipt,
  IconSettings,
  IconStack2,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reviewQueueQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { formatCount } from "../components/format.ts";
import { NavLinkTo } from "../components/links.tsx";

const PLACES = [
  { to: "/w/$workspaceId/overview", label: "Overview", icon: IconChartBar },
  { to: "/w/$workspaceId/ads", label: "Ads", icon: IconAd2 },
  { to: "/w/$workspaceId/advertisers", label: "Advertisers", icon: IconUsers },
  { to: "/w/$workspaceId/payments", label: "Payments", icon: IconReceipt },
  { to: "/w/$workspaceId/tiers", label: "Tiers", icon: IconStack2 },
  { to: "/w/$workspaceId/fields", label: "Fields", icon: IconForms },
  { to: "/w/$workspaceId/settings", label: "Settings", icon: IconSettings },
  { to: "/w/$workspaceId/audit", label: "Audit log", icon: IconHistory },
] as const;

export function Navigation() {
  const { id: workspaceId } = useWorkspace();
  return (
    <Box component="nav" aria-label="Workspace" flex={1} mih={0} className="navigation">
      {PLACES.map(({ to, label, icon: Icon }) => (
        <NavLinkTo
          key={to}
          to={to}
          params={{ workspaceId }}
          label={label}
          leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
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
