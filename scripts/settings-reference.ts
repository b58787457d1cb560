/** Writes docs/settings.md and .env.example from the table of settings and scripts/settings-overview.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { settings } from '../src/config.ts'
import { limitTable } from '../src/limits.ts'
import { escapeText, formatTable } from './markdown.ts'

/** The page; the overview has a place for the table. */
export function formatSettingsPage(): string {
  const overview = readFileSync(new URL('./settings-overview.md', import.meta.url), 'utf8')
  const rows = settings.map(({ name, default: value, meaning }) => [
    `\`${name}\``,
    value === '' ? '' : `\`${value}\``,
    `${escapeText(meaning)}${ranges.get(name) ?? ''}`,
  ])
  return overview.replace('{{settings}}', () => formatTable(['Setting', 'Default', 'Meaning'], rows))
}

/** What values a limit may have. */
const ranges: ReadonlyMap<string, string> = new Map(
  Object.values(limitTable).map(({ setting, least, most }) => [
    setting,
    ` ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  ]),
)

/** A file .env in which every setting is a comment. */
export function formatEnvExample(): string {
  const paragraphs = settings.map(({ name, meaning, default: value }) => `# ${meaning}\n#${name}=${value}\n`)
  return `# Settings, with their defaults. Copy to .env, or set them in the environment, which wins.\n\n${paragraphs.join('\n')}`
}

if (import.meta.main) {
  writeFileSync(new URL('../docs/settings.md', import.meta.url), formatSettingsPage())
  writeFileSync(new URL('../.env.example', import.meta.url), formatEnvExample())
}
