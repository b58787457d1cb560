import { builtInApps } from './app.ts'

/** Letters of other scripts, and digits, that look like Latin letters. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{ а: 'a', α: 'a', ɑ: 'a', с: 'c', ϲ: 'c', ԁ: 'd', е: 'e', ε: 'e', ɡ: 'g', һ: 'h', і: 'i', ι: 'i', ı: 'i' },
  ...{ к: 'k', κ: 'k', ӏ: 'l', м: 'm', ո: 'n', η: 'n', о: 'o', ο: 'o', օ: 'o', р: 'p', ρ: 'p', г: 'r', ѕ: 's' },
  ...{ т: 't', τ: 't', υ: 'u', ս: 'u', ν: 'v', х: 'x', χ: 'x', у: 'y', γ: 'y', 0: 'o', 1: 'l' },
}

/** What people read: without case, width, marks, what is invisible, spaces and signs. */
function skeletonOf(title: string): string {
  const letters = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return Array.from(letters, (letter) => lookAlikes[letter] ?? letter).join('')
}

const reserved: ReadonlySet<string> = new Set(
  builtInApps.flatMap(({ clientId, title }) => [skeletonOf(clientId), skeletonOf(title)]),
)

/** Why an app may not be called so: users are asked to trust it by its title. Undefined if it may. */
export function findTitleProblem(title: string): string | undefined {
  return reserved.has(skeletonOf(title)) ? `${title} is, or looks like, the name of a built-in app.` : undefined
}
