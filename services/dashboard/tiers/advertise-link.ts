import type { Workspace } from "../shell/workspace.tsx";

/** Where a workspace's tiers are for sale; with a tier, the place of its card on that page. */
export function advertiseLink({ slug }: Pick<Workspace, "slug">, tierId?: string): string {
  const page = `${location.origin}/advertise/${encodeURIComponent(slug)}`;
  return tierId === undefined ? page : `${page}#tier-${tierId}`;
}
