import { Text } from "@mantine/core";
import { IconMessage, IconMessageX } from "@tabler/icons-react";
import type { Ad } from "./ad-shapes.ts";
import { Notice } from "./notice.tsx";

/** What the advertiser was told with the last decision; nothing where there was no note. */
export function ReviewNote({ ad }: { readonly ad: Pick<Ad, "status" | "rejectionNote"> }) {
  if (ad.rejectionNote === null) return null;
  const isRejected = ad.status === "Rejected";
  return (
    <Notice
      color={isRejected ? "red" : "blue"}
      icon={isRejected ? <IconMessageX /> : <IconMessage />}
      title={isRejected ? "Rejected" : "Changes requested: waiting for the advertiser"}
    >
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        <bdi dir="auto">{ad.rejectionNote}</bdi>
      </Text>
    </Notice>
  );
}
