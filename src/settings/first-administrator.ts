/** Settings that only an empty database uses. */

import { findLengthProblem } from '../directory/passwords/password.ts'
import { findPortalNameProblem } from '../directory/portal.ts'
import { findUsernameProblem } from '../directory/user.ts'
import { type GivenSettings, shown } from './given.ts'

export function readUsername({ value, refuse }: GivenSettings): string {
  const username = value('ADMIN_USERNAME')
  const problem = findUsernameProblem(username)
  if (problem) refuse(`ADMIN_USERNAME is ${shown(username)}; ${problem[0]!.toLowerCase()}${problem.slice(1)}`)
  return username
}

/** The password as it is, spaces included. Only where it is used, it must not be a common one or a name. */
export function readPassword({ refuse }: GivenSettings, password: string | undefined): string | undefined {
  const problem = password && findLengthProblem(password)
  if (problem) refuse(problem.replace(/^The password/, 'ADMIN_PASSWORD'))
  return password
}

export function readOrganizationName({ value, refuse }: GivenSettings): string {
  const name = value('ORGANIZATION_NAME')
  const problem = findPortalNameProblem(name)
  if (problem) refuse(`ORGANIZATION_NAME ${problem}`)
  return name
}
