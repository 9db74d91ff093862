import type { ReactNode } from "react";
import classes from "./rows.module.css";

/** A list of things in a card, with a line between each. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}
