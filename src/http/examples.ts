/** The small world of the documented examples: one organization, its administrator, and what they made. */
export const exampleIds = {
  portalId: 'Qz3VpXw7Lk2MnB9t',
  groupId: '5f2b8c4e9a7d4b1f8e3c6a0d2b9f7e11',
  roleId: 'Rk8sTq2WvN5xYc7z',
  username: 'anna',
  collaborationId: 'b7d1e5a3c9f84e2d9a6b0c4f8e1d3a57',
  workspaceId: 'c4a9f2e8d1b74c6fa3e5d8b0f9c2a1e6',
  invitationId: 'e1f7c3b9a5d24f8c8b6e4a2d0c9f7b53',
} as const

/** Epoch milliseconds of everything that happens in the examples: 2026-01-15, 12:00 UTC. */
export const exampleTime = 1_768_478_400_000

export const exampleSchema = JSON.stringify({
  categorySchema: [
    {
      title: 'Region',
      description: 'Where the content lies',
      categories: [{ title: 'World' }, { title: 'Europe', categories: [{ title: 'Alps' }] }],
    },
  ],
})
