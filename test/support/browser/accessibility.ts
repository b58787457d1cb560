import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Results {
  /** How many elements passed a rule, where those are listed, and how many rules. */
  readonly passed: { readonly elements: number; readonly rules: number }
  /** `rule: element`. */
  readonly barriers: readonly string[]
}

const colourRules = ['color-contrast', 'link-in-text-block']

/** Violations that axe finds now of WCAG 2.2 A and AA and its own good practice, as `rule: element`. */
export function findBarriersNow(page: Page): Promise<readonly string[]> {
  return findAllNow(page, {})
}

/** Violations of the rules for colours alone, which are checked in each theme. */
export async function findColourBarriersNow(page: Page): Promise<readonly string[]> {
  const { passed, barriers } = await runAxeNow(page, { runOnly: colourRules })
  return passed.elements < 5 ? ['Hardly anything was checked.'] : barriers
}

/** Violations of all other rules, where colours were checked already. */
export function findOtherBarriersNow(page: Page): Promise<readonly string[]> {
  return findAllNow(page, { rules: Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }])) })
}

async function findAllNow(page: Page, options: object): Promise<readonly string[]> {
  const { passed, barriers } = await runAxeNow(page, { resultTypes: ['violations'], ...options })
  return passed.rules < 10 ? ['Hardly anything was checked.'] : barriers
}

/** Axe is brought once for each document, and only what is used of its long answer leaves the page. */
async function runAxeNow(page: Page, options: object): Promise<Results> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // No rule here needs the text of the style sheets, which axe would load again.
  return page.evaluate<Results>(`axe.run(document, ${JSON.stringify({ preload: false, ...options })}).then(({ passes, violations }) => ({
    passed: { elements: passes.flatMap(({ nodes }) => nodes).length, rules: passes.length },
    barriers: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
  }))`)
}
