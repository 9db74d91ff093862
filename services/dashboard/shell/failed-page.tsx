import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { Frame } from "./frame.tsx";
import { messageOf } from "./problems.ts";

/** For what went wrong before or while a page was shown. */
export function FailedPage({ error }: { readonly error: unknown }) {
  const router = useRouter();
  return (
    <Frame title="This page could not be shown" text={messageOf(error)}>
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </Frame>
  );
}
