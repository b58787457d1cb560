import type { JsonSchema } from '../shapes/shape.ts'
import { type Html, html } from './html.ts'

/** A category as a page has it: with what was stored, or a part of it. */
interface ShownCategory {
  readonly title?: unknown
  readonly description?: unknown
  readonly source?: unknown
  readonly categories?: unknown
}

/** Levels that are open at once. */
const openLevels = 2

/** Whether a list of this shape is that of the trees of a category schema. */
export function isTreeList(shape: JsonSchema | undefined): boolean {
  return shape?.items?.['title'] === 'Category'
}

/** The trees of a category schema as lists in one another; what has categories below it can be closed. */
export function formatTrees(trees: readonly unknown[]): Html {
  const categories = countCategories(trees)
  return html`<p class="meaning">${count(trees.length, 'tree', 'trees')}, ${count(categories, 'category', 'categories')}</p>
${formatSiblings(trees, 1)}`
}

function formatSiblings(categories: readonly unknown[], level: number): Html {
  return html`<ul class="tree">${categories.map((category) => html`<li>${formatCategory(category, level)}</li>`)}</ul>`
}

function formatCategory(category: unknown, level: number): Html {
  const { title, description, source, categories } = (category ?? {}) as ShownCategory
  const name = html`<span class="name">${typeof title === 'string' ? title : textOf(source)}</span>`
  const about =
    typeof description === 'string' && description !== '' && html`<p class="meaning text">${description}</p>`
  const below = Array.isArray(categories) ? categories : []
  if (below.length === 0) return html`${name}${about}`
  const number = html` <span class="meaning">${countCategories(below)}</span>`
  const open = level < openLevels ? html` open` : html``
  return html`<details${open}><summary>${name}${number}</summary>${about}${formatSiblings(below, level + 1)}</details>`
}

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : 'without a title'
}

function countCategories(categories: readonly unknown[]): number {
  const below = categories.map((category) => (category as ShownCategory | null)?.categories)
  return below.reduce<number>((sum, list) => sum + (Array.isArray(list) ? countCategories(list) : 0), categories.length)
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}
