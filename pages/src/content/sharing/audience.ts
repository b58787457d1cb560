/** Who sees an item, as the sharing dialog has it. Without DOM. */

export type ItemLevel = 'private' | 'org' | 'public'

/** Sharing as a person chooses it: the level, and the ids of groups. */
export interface Sharing {
  readonly level: ItemLevel
  readonly groups: readonly string[]
}

/** The level of an item, by its `access`. */
export function levelOf(access: ItemLevel | 'shared'): ItemLevel {
  return access === 'shared' ? 'private' : access
}

/** Parameters of the calls that bring the sharing from one state to another; undefined where there is no such call to make. */
export function planSharing(
  present: Sharing,
  wanted: Sharing,
): {
  /** For the level, and the groups that come. */
  readonly share: { readonly everyone: boolean; readonly org: boolean; readonly groups: string | undefined } | undefined
  /** For the groups that go. */
  readonly unshare: { readonly groups: string } | undefined
} {
  const added = wanted.groups.filter((id) => !present.groups.includes(id))
  const removed = present.groups.filter((id) => !wanted.groups.includes(id))
  const { level } = wanted
  const shares = level !== present.level || added.length > 0
  return {
    // Without groups the parameter is left out: a blank one would end the sharing with all of them.
    share: shares
      ? { everyone: level === 'public', org: level !== 'private', groups: added.join(',') || undefined }
      : undefined,
    unshare: removed.length > 0 ? { groups: removed.join(',') } : undefined,
  }
}
