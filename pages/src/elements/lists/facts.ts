import { html, nothing, type TemplateResult } from 'lit'

/** Renders what there is to say of something in one quiet line, each after its name; what is missing is left out. */
export function renderFacts(facts: readonly (readonly [string, TemplateResult | string | false | null | undefined])[]) {
  return html`<dl class="line">${facts.map(([name, value]) => (value ? html`<div><dt>${name}:</dt><dd>${value}</dd></div>` : nothing))}</dl>`
}

/** Renders names one after the other, each with its own direction. */
export function renderNames(names: readonly string[]) {
  return html`${names.map((name, at) => html`${at > 0 ? ', ' : nothing}<bdi>${name}</bdi>`)}`
}
