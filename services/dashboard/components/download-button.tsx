import { Button, type ButtonProps } from "@mantine/core";
import { Icon } from "./icon.tsx";

/** A link to a file of the API, as a button. */
export function DownloadButton({ href, ...look }: ButtonProps & { readonly href: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<Icon name="download" />}
      {...look}
    />
  );
}
