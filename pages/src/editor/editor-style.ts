import { css } from 'lit'

/** The tree and the form of the editor, beside each other where there is room. */
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
      top: 4.5rem;
    }
  }
`
