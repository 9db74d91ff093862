import type { ReportDimension } from "#libs/domain/report-dimensions.ts";
import { useWorkspace } from "../api/workspace.ts";
import { LinkTo } from "./links.tsx";

/** What a report is narrowed to: the ID of one ad, one advertiser or one tier, or nothing. */
export type ReportOf = {
  readonly [Dimension in Extract<ReportDimension, "ad" | "advertiser" | "tier">]?: string;
};

/** Leads to the report of what a section is about, for any period. */
export function ReportLink({ of = {} }: { readonly of?: ReportOf }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <LinkTo to="/w/$workspaceId/reports" params={{ workspaceId }} search={of} size="sm">
      Report of any period
    </LinkTo>
  );
}
