import { Alert } from "@mantine/core";

interface FormNoteProps {
  readonly color: "red" | "yellow" | "blue";
  readonly children: string | null;
}

/** What a form as a whole has to say, read out when it comes. Nothing for null. */
export function FormNote({ color, children }: FormNoteProps) {
  return (
    <div aria-live="polite" className="form-note">
      {children === null ? null : (
        <Alert color={color} p="sm">
          {children}
        </Alert>
      )}
    </div>
  );
}
