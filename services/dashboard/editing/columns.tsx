import type { ReactNode } from "react";
import classes from "./columns.module.css";

interface ColumnsProps {
  readonly children: ReactNode;
  /** What stays in view beside the rest, and stands below it where there is no room. */
  readonly aside: ReactNode;
  /** Whether that may be longer than the screen: then it scrolls by itself, and needs something to focus in it. */
  readonly isLong?: boolean;
}

/** What is worked on, and beside it what comes of it. */
export function Columns({ children, aside, isLong = false }: ColumnsProps) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      <div className={classes.aside} data-scrolls={isLong || undefined}>
        {aside}
      </div>
    </div>
  );
}
