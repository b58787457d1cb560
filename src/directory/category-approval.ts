/** Category schemas whose changes need a second person: none, the organization's, or those of its groups too (chosen). */
export const categoryApprovals = ['none', 'organization', 'all'] as const
export type CategoryApproval = (typeof categoryApprovals)[number]
