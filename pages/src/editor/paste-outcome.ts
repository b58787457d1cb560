import { html, nothing } from 'lit'
import type { Category } from '../../../src/categories/schema.ts'
import { said } from '../sentences/said.ts'
import type { ReadTable } from '../tables/choose-roles.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import type { Pasted } from './model/pasted.ts'
import type { Placed } from './model/pasting.ts'

/** Renders how many categories there would be, or why the text cannot be read. */
export function renderOutcome(pasted: Pasted, placed: Placed | undefined) {
  if (placed) return html`<strong>${t('pasteFound', { count: countAll(placed.categories) })}</strong>`
  const problems = 'problems' in pasted ? unmarked(pasted.problems, pasted.table) : []
  if (problems.length === 0) return nothing
  return html`<div class="problems"><strong>${t('pasteProblems')}</strong>
    <ul>${problems.map((problem) => html`<li>${said(problem)}</li>`)}</ul></div>`
}

/** Renders the tree as it would be, and the notes on rows. */
export function renderPreview(pasted: Pasted, { categories }: Placed) {
  const notes = 'notes' in pasted ? pasted.notes : []
  return html`<div class="scrolled" tabindex="0" role="region" aria-label=${t('preview')}>${renderList(categories)}</div>
    ${
      notes.length === 0
        ? nothing
        : html`<div><strong>${t('notes')}</strong><ul>${notes.map(
            ({ row, message }) => html`<li>${said(message, row)}</li>`,
          )}</ul></div>`
    }`
}

/** Problems that no mark of the table shows. */
function unmarked(problems: readonly string[], table: ReadTable | undefined): readonly string[] {
  const marked = new Set(table && table.columns.length > 1 ? table.marks.map(({ message }) => message) : [])
  return problems.filter((problem) => !marked.has(problem))
}

function countAll(categories: readonly Category[]): number {
  return categories.reduce((sum, { categories: below = [] }) => sum + 1 + countAll(below), 0)
}

function renderList(categories: readonly Category[]): unknown {
  return html`<ul dir="auto">${categories.map(
    ({ title, source, categories: below = [] }) =>
      html`<li>${title || source || t('untitled')}${below.length > 0 ? renderList(below) : nothing}</li>`,
  )}</ul>`
}
