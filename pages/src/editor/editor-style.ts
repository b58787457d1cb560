import { css } from 'lit'

/** Tree and form of the editor, side by side if there is enough space. */
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
  cartulary-limits-bar {
    min-width: 0;
  }
`
