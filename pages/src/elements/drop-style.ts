import { css } from 'lit'

/** A place where files are chosen or dropped: `<div class="drop">`, with `over` while one is above it. */
export const dropStyle = css`
  .drop {
    display: grid;
    justify-items: center;
    gap: 0.5rem;
    padding: 1.25rem;
    border: 2px dashed var(--wa-color-neutral-border-loud);
    border-radius: 0.5rem;
    text-align: center;
  }
  .drop.over {
    border-color: var(--wa-color-brand-border-loud);
    background: var(--wa-color-brand-fill-quiet);
  }
  .drop input {
    max-width: 100%;
    min-height: 2rem;
  }
`
