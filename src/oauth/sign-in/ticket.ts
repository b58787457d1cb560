/** Seals what a browser carries from one page to the next; a browser can neither read nor change it. */
export interface TicketSeal {
  /** A text of base64url and dots. */
  seal(purpose: TicketPurpose, value: unknown): Promise<string>
  /** The value; undefined for what was sealed for another purpose, under another secret, or altered. */
  open(purpose: TicketPurpose, text: string): Promise<unknown>
}

export type TicketPurpose = 'authorization' | 'identity provider' | 'identity link' | 'id token'
