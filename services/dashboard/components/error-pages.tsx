import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { messageOf } from "../api/problems.ts";
import { Frame } from "./frame.tsx";
import { ButtonTo } from "./links.tsx";

/** For an address without a page. */
export function NotFoundPage() {
  return (
    <Frame title="Page not found" text="The address may be mistyped, or the page may have moved.">
      <ButtonTo to="/">Go to home</ButtonTo>
    </Frame>
  );
}

/** For a workspace that does not exist or that the person cannot open; it does not say which. */
export function NoAccessPage() {
  return (
    <Frame
      title="You can’t open this workspace"
      text="It doesn’t exist, or you’re not a member. Its owners can invite you."
    >
      <ButtonTo to="/">Go to your workspaces</ButtonTo>
    </Frame>
  );
}

/** For an error before or while a page is shown. */
export function FailedPage({ error }: { readonly error: unknown }) {
  const router = useRouter();
  return (
    <Frame title="This page couldn’t be shown" text={messageOf(error)}>
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </Frame>
  );
}
