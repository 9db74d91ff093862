import { Anchor, type AnchorProps, VisuallyHidden } from "@mantine/core";
import { Icon } from "./icon.tsx";
import { shortAddress, webAddress } from "./web-address.ts";

interface WebLinkProps extends AnchorProps {
  readonly url: string;
  readonly text?: string;
}

/** An address that somebody entered: a link to a new tab if it is a web address, else text. */
export function WebLink({ url, text, ...look }: WebLinkProps) {
  const address = webAddress(url);
  const words = <bdi style={{ overflowWrap: "anywhere" }}>{text ?? shortAddress(url)}</bdi>;
  if (address === null) return words;
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer nofollow" {...look}>
      {words}
      <Icon name="external-link" size="0.9em" style={{ marginInlineStart: 4, verticalAlign: "-0.1em" }} />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  );
}
