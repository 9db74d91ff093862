import { Button } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";
import { messageOf } from "../api/problems.ts";
import { Frame } from "./frame.tsx";
import { ButtonTo } from "./links.tsx";
import { notifyProblem } from "./notify.ts";
import { Empty } from "./states.tsx";

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

/** The server cannot be reached, so a page could not be loaded. */
export class AwayError extends Error {
  override readonly name = "AwayError";

  constructor(options: ErrorOptions) {
    super("The page could not be loaded without a connection.", options);
  }
}

/** In the place of a page that could not be loaded, beside the navigation. */
function AwayPage() {
  const { online } = useNetwork();
  return (
    <Empty
      title={online ? "The server can’t be reached" : "You’re offline"}
      text="This page hasn’t been loaded yet."
      action={
        <Button variant="default" onClick={() => void reloadIfReachable()}>
          Try again
        </Button>
      }
    />
  );
}

/** A reload without a connection would end on the browser's own error page. */
async function reloadIfReachable(): Promise<void> {
  try {
    await fetch("/", { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    notifyProblem(new TypeError("the server cannot be reached"));
  }
}

/** For an error before or while a page is shown. */
export function FailedPage({ error }: { readonly error: unknown }) {
  const router = useRouter();
  if (error instanceof AwayError) return <AwayPage />;
  return (
    <Frame title="This page couldn’t be shown" text={messageOf(error)}>
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </Frame>
  );
}
