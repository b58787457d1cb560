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
      grid-template-columns: minmax(0, 3fr) minmax(18rem, 2fr);
    }
    .form {
      position: sticky;
      top: 3.75rem;
    }
  }
  .stack {
    gap: 0.5rem;
  }
`
