import { Stack } from "@mantine/core";
import { useMay } from "../shell/workspace.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MembersCard } from "./members-card.tsx";

/** Who works here, and who has been asked to. */
export function MembersTab() {
  const isOwner = useMay("Owner");
  return (
    <Stack gap="lg" maw={760}>
      <MembersCard />
      {isOwner ? <InvitationsCard /> : null}
    </Stack>
  );
}
