import { Button, FileButton, Group, Input } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { api } from "../api/client.ts";
import { messageOf } from "../api/problems.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { newKey } from "../components/new-key.ts";
import { WebImage } from "../components/web-image.tsx";

interface LogoInputProps {
  readonly url: string | null;
  readonly error: string | undefined;
  readonly onChange: (url: string | null) => void;
}

/** Uploads an image as soon as it is chosen, and shows it. */
export function LogoInput({ url, error, onChange }: LogoInputProps) {
  const { id: workspaceId } = useWorkspace();
  const upload = useMutation({
    mutationFn: (file: File) => sendImage(workspaceId, file),
    onSuccess: onChange,
  });
  const problem = upload.isError ? messageOf(upload.error) : error;
  return (
    <Input.Wrapper label="Logo" labelElement="div" error={problem}>
      <Group gap="sm" mt={4}>
        {url === null ? null : (
          <WebImage
            url={url}
            alt="Your logo"
            style={{ height: 56, maxWidth: 200, objectFit: "contain" }}
            instead={<Dimmed span>This image can’t be shown here.</Dimmed>}
          />
        )}
        <FileButton
          accept={IMAGE_TYPES.join(",")}
          onChange={(file) => {
            if (file !== null) upload.mutate(file);
          }}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={upload.isPending}>
              {url === null ? "Upload an image" : "Replace"}
            </Button>
          )}
        </FileButton>
        {url === null ? null : (
          <Button variant="default" size="xs" onClick={() => onChange(null)}>
            Remove logo
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Stores the file with the workspace's uploads; returns its address. */
async function sendImage(workspaceId: string, file: File): Promise<string> {
  const contentType = IMAGE_TYPES.find((type) => type === file.type);
  if (contentType === undefined) throw new Error("Choose a PNG, JPEG, WebP, GIF or AVIF image.");
  const { uploadUrl, headers, publicUrl } = await api.uploads.create(
    { workspaceId, fileName: file.name, contentType, contentLength: file.size },
    { context: { idempotencyKey: newKey() } },
  );
  const sent = await fetch(uploadUrl, { method: "PUT", headers, body: file });
  if (!sent.ok) throw new Error("The image couldn’t be uploaded. Try again.");
  return publicUrl;
}
