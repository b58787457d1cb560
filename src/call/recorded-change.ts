/** Change of one item that an entry of the log has beside it: what it was before, and what it became. */
export interface RecordedChange {
  readonly itemId: string
  readonly portalId: string
  /** Run of many items that it is a part of. */
  readonly runId?: string
  /** JSON object; its members are those of the room that records it. */
  readonly change: object
}
