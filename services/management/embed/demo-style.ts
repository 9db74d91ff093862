import { Html } from "#libs/html/index.ts";

/** Of the example page alone; what the ads look like is the embed's. */
export const DEMO_STYLE = new Html(`
:root{color-scheme:light dark;--line:light-dark(#d5d7db,#3f434a);--soft:light-dark(#f4f5f7,#1a1c20);--muted:light-dark(#5c5f66,#aeb3bb)}
*{box-sizing:border-box}
body{margin:0;background:light-dark(#fff,#121316);color:light-dark(#1a1b1e,#eceef0);font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.15rem;margin:2.5rem 0 .5rem}
p{margin:.5rem 0 .75rem}
a{color:light-dark(#1c5fd4,#8ab8ff)}
.muted{color:var(--muted)}
pre{margin:.75rem 0 0;padding:.75rem 1rem;overflow-x:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;font-size:.85rem}
code{font-family:ui-monospace,monospace;font-size:.9em}
pre code{font-size:inherit}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:start;vertical-align:top;padding:.4rem .5rem .4rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}
td:first-child{white-space:nowrap;padding-inline-end:1rem}
form,.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
input,button{font:inherit;padding:.4rem .7rem;border-radius:6px;border:1px solid light-dark(#767b84,#8b919b);background:light-dark(#fff,#1f2125);color:inherit;min-width:0}
button{cursor:pointer}
:focus-visible{outline:2px solid light-dark(#1c5fd4,#8ab8ff);outline-offset:2px}
#reports{margin:0;padding:0;list-style:none}
[role=log]{margin:.75rem 0 0;padding:.75rem 1rem;min-height:3rem;max-height:14rem;overflow-y:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;font-size:.9rem}
.brand{--placard-background:#0b5d3b;--placard-color:#fff;--placard-muted:#d3efe2;--placard-border:#0b5d3b;--placard-radius:0;--placard-font:500 16px/1.4 Georgia,serif}
.line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;padding:.5rem 0;border-block:1px solid var(--line)}
.line small{color:var(--muted)}
`);
