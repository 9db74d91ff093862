/** The cards' style, inside a shadow root: of the site's style only variables and `color-scheme` reach it. */
export const CARD_STYLE = `
:host{all:initial!important;display:block!important;color-scheme:inherit!important;visibility:inherit!important;pointer-events:inherit!important}
:host([data-theme=light]){color-scheme:light!important}
:host([data-theme=dark]){color-scheme:dark!important}
.ads{--b:#fff;--c:#1a1b1e;--m:#5c5f66;--l:#d5d7db;--a:#1c5fd4;--t:#fff;
display:grid;gap:var(--placard-gap,12px);grid-template-columns:repeat(auto-fit,minmax(min(100%,var(--placard-width,280px)),1fr));
font:var(--placard-font,400 15px/1.4 system-ui,sans-serif)}
@supports (color:light-dark(#000,#fff)){.ads{--b:light-dark(#fff,#1f2125);--c:light-dark(#1a1b1e,#eceef0);--m:light-dark(#5c5f66,#aeb3bb);--l:light-dark(#d5d7db,#3f434a);--a:light-dark(#1c5fd4,#8ab8ff);--t:light-dark(#fff,#10141c)}}
a{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:center;box-sizing:border-box;min-width:0;padding:var(--placard-padding,12px 14px);border:1px solid var(--placard-border,var(--l));border-radius:var(--placard-radius,10px);background:var(--placard-background,var(--b));color:var(--placard-color,var(--c));text-decoration:none;text-align:start;overflow-wrap:anywhere}
a:hover{border-color:var(--placard-accent,var(--a))}
a:focus-visible{outline:2px solid var(--placard-accent,var(--a));outline-offset:2px}
img{flex:none;width:36px;height:36px;object-fit:contain;border-radius:6px}
img.image{flex:1 1 200px;width:auto;min-width:0;max-width:var(--placard-image-width,var(--w,320px));height:auto;max-height:var(--placard-image-height,var(--h,160px));aspect-ratio:var(--r,auto 2/1);object-fit:cover}
.body{flex:1 1 140px;min-width:0}
.name,.text{display:block}
.name{font-weight:600}
.text,.label{color:var(--placard-muted,var(--m))}
.button{padding:5px 12px;border-radius:6px;background:var(--placard-accent,var(--a));color:var(--placard-accent-color,var(--t));font-weight:600;font-size:.9em}
.label{flex-basis:100%;font-size:12px}
`;
