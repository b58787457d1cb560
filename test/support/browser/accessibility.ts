import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds against WCAG 2.2 A and AA and its own good practice, as `rule: element`. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
    readonly passes: readonly unknown[]
  }>('axe.run(document)')
  if (passes.length < 10) return ['Hardly anything was checked.']
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
