import { css } from 'lit'

/** Toolbar, tree and form of the editor; tree and form side by side if there is enough space. */
export const editorStyle = css`
  :host {
    container-type: inline-size;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.5rem;
    align-items: start;
  }
  @container (min-width: 48rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr) clamp(18rem, 40%, 30rem);
    }
    .form {
      position: sticky;
      top: 3.25rem;
      max-height: calc(100dvh - 3.5rem - var(--bottom-bar, 0px));
      overflow-y: auto;
    }
  }
  .stack {
    gap: 0.25rem;
  }
  cartulary-heading {
    margin-block-end: -0.75rem;
  }
  /* The line about the draft is as high whatever it says. */
  .draft {
    flex-wrap: nowrap;
    height: 2rem;
  }
  .draft > span {
    flex: 0 1 auto;
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .draft > wa-button {
    flex: none;
  }
  /* It stays at the top while the tree is scrolled. */
  .toolbar {
    position: sticky;
    top: 0;
    z-index: 4;
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: center;
    padding-block: 0.375rem;
    background: var(--wa-color-surface-default);
    border-block-end: 1px solid var(--wa-color-surface-border);
  }
  .toolbar > .row {
    gap: 0.25rem 0.375rem;
  }
  .search {
    flex: 1 1 12rem;
    min-width: 0;
    max-width: 22rem;
  }
  .keys {
    --popup-width: 30rem;
    font-size: 0.875rem;
  }
  .menu {
    display: grid;
  }
  .menu wa-button::part(base) {
    justify-content: start;
  }
  .limits {
    min-width: 0;
    font-size: 0.875rem;
  }
  .limits dd {
    color: var(--wa-color-text-normal);
    font-variant-numeric: tabular-nums;
  }
  /* A sheet from the end of a narrow window. */
  dialog {
    width: 100%;
    max-width: none;
    max-height: 85dvh;
    margin: auto 0 0;
    padding: 0.5rem 1rem 1rem;
    overflow-y: auto;
    border: 0;
    border-radius: 0.75rem 0.75rem 0 0;
    color: inherit;
    background: var(--wa-color-surface-raised);
    box-shadow: 0 -0.5rem 1.5rem var(--wa-color-shadow);
  }
  dialog::backdrop {
    background: var(--wa-color-overlay-modal);
  }
  dialog > wa-button {
    display: block;
    width: fit-content;
    margin-inline-start: auto;
  }
  @media (max-width: 40rem) {
    /* Two lines for what is published. */
    .draft.quiet > span {
      overflow: visible;
      line-height: 1;
      white-space: normal;
    }
    /* The buttons share their lines, whatever their group is. */
    .toolbar > .row {
      display: contents;
    }
    .search {
      flex-basis: 100%;
      max-width: none;
    }
    .keys {
      display: none;
    }
    /* The room is for the categories, and for what comes near its limit. */
    .limits > div:has(.free):not(:last-child) {
      display: none;
    }
  }
`
