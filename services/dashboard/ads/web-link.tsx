import { Anchor, type AnchorProps, VisuallyHidden } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { shortAddress, webAddress } from "./web-address.ts";

interface WebLinkProps extends AnchorProps {
  readonly url: string;
  /** Stands in for the address itself. */
  readonly text?: string;
}

/** An address that somebody has given: a link that opens beside where it is one of the web, and text otherwise. */
export function WebLink({ url, text, ...look }: WebLinkProps) {
  const address = webAddress(url);
  const words = <bdi style={{ overflowWrap: "anywhere" }}>{text ?? shortAddress(url)}</bdi>;
  if (address === null) return words;
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer nofollow" {...look}>
      {words}
      <IconExternalLink size="0.9em" aria-hidden style={{ marginInlineStart: 4, verticalAlign: "-0.1em" }} />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  );
}
