/** Parameters of a call, by their names. Undefined ones are not sent. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined | Blob>>
