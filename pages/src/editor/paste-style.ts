import { css } from 'lit'

/** The dialog for a pasted text: its table over the whole width, and the outcome beside the choices. */
export const pasteStyle = css`
  cartulary-dialog-form {
    --dialog-width: 56rem;
  }
  cartulary-table-columns {
    --table-height: 15rem;
  }
  .field.whole {
    max-width: none;
  }
`
