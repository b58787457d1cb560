import { html, nothing, type TemplateResult } from 'lit'

/** Renders what there is to say of something in one quiet line, each after its name; what is missing is left out. */
export function renderFacts(facts: readonly (readonly [string, TemplateResult | string | false | null | undefined])[]) {
  return html`<dl class="line">${facts.map(([name, value]) => (value ? html`<div><dt>${name}:</dt><dd>${value}</dd></div>` : nothing))}</dl>`
}

/** Renders what there is to say of something, each after its name; what is missing is left out. */
export function renderDetails(details: readonly (readonly [name: unknown, value: unknown])[]) {
  const present = details.filter(([, value]) => value || value === 0)
  return html`<dl class="facts">${present.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** Renders names one after the other, each with its own direction. */
export function renderNames(names: readonly string[]) {
  return html`${names.map((name, at) => html`${at > 0 ? ', ' : nothing}<bdi>${name}</bdi>`)}`
}
