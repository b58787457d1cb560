import { operationRefused } from '../../errors.ts'
import type { DirectoryReaders } from '../store.ts'
import type { User } from '../user.ts'
import { type ChosenPassword, findPasswordProblem } from './password.ts'

/** Refuses what the user may not have as a new password; `parameter` is what gives it. Called before it is hashed. */
export async function requireGoodPassword(
  { directory }: DirectoryReaders,
  { username, portalId }: Pick<User, 'username' | 'portalId'>,
  password: ChosenPassword,
  parameter: string,
): Promise<void> {
  const portal = await directory.findPortal(portalId)
  const problem = findPasswordProblem(password, { username, organization: portal?.name })
  if (problem !== undefined) throw operationRefused(`${parameter}: ${problem}`)
}
