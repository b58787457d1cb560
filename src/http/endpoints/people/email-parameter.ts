import { findEmailProblem, profileLimits } from '../../../directory/user.ts'
import { optionalText, type Parameter, Wrong } from '../parameter-types.ts'

/** An e-mail address, without spaces around it; it may be empty. */
export function optionalEmail(meaning: string): Parameter<string | undefined> {
  const text = optionalText(meaning, { maxLength: profileLimits.name })
  return {
    ...text,
    read(given) {
      const read = text.read(given)
      if (read === undefined || read instanceof Wrong) return read
      const email = read.trim()
      const problem = findEmailProblem(email)
      return problem === undefined ? email : new Wrong(problem)
    },
  }
}
