import { ApiError } from '../../api/call.ts'
import { post } from '../../session/session.ts'

export async function setDisabled(username: string, disabled: boolean): Promise<void> {
  const operation = disabled ? 'disableUsers' : 'enableUsers'
  const { results } = await post<{
    readonly results: readonly { readonly status: boolean; readonly reason?: string }[]
  }>(`/portals/self/${operation}`, { users: username })
  const refused = results.find(({ status }) => !status)
  if (refused) throw new ApiError({ code: 400, message: refused.reason ?? username }, undefined)
}
