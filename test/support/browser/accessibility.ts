import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Results {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
  readonly passes: readonly { readonly nodes: readonly unknown[] }[]
}

/** What axe finds against WCAG 2.2 A and AA and its own good practice, as `rule: element`. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const results = await page.evaluate<Results>('axe.run(document)')
  return results.passes.length < 10 ? ['Hardly anything was checked.'] : barriersOf(results)
}

/** The same for colours alone, which are looked at in each theme. */
export async function findColourBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const results = await page.evaluate<Results>(
    `axe.run(document, { runOnly: ['color-contrast', 'link-in-text-block'] })`,
  )
  return results.passes.flatMap(({ nodes }) => nodes).length < 5
    ? ['Hardly anything was checked.']
    : barriersOf(results)
}

/** The same without colours: with forced colours the browser answers for them, and axe would see those of the page. */
export async function findOtherBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const rules = `{ 'color-contrast': { enabled: false }, 'link-in-text-block': { enabled: false } }`
  const results = await page.evaluate<Results>(`axe.run(document, { rules: ${rules} })`)
  return results.passes.length < 10 ? ['Hardly anything was checked.'] : barriersOf(results)
}

function barriersOf({ violations }: Results): readonly string[] {
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
