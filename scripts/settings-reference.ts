/** Writes docs/settings.md from the table of settings and scripts/settings-overview.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { settings } from '../src/config.ts'
import { limitTable } from '../src/limits.ts'
import { escapeText, formatTable } from './markdown.ts'

/** Formats the page; the overview has a placeholder for each table. */
export function formatSettingsPage(): string {
  const overview = readFileSync(new URL('./settings-overview.md', import.meta.url), 'utf8')
  return overview.replace('{{settings}}', formatSettings).replace('{{limits}}', formatLimits)
}

function formatSettings(): string {
  const limits = new Set<string>(Object.values(limitTable).map(({ setting }) => setting))
  const rows = settings
    .filter(({ name }) => !limits.has(name))
    .map(({ name, default: value, meaning }) => [
      `\`${name}\``,
      value === '' ? '' : `\`${value}\``,
      escapeText(meaning),
    ])
  return formatTable(['Setting', 'Default', 'Meaning'], rows)
}

function formatLimits(): string {
  const rows = Object.entries(limitTable).map(([name, { setting, default: value, min, max, meaning, refusal }]) => [
    `\`${setting}\``,
    `${formatNumber(value)}${formatBytes(value)}`,
    `${escapeText(meaning)} ${formatNumber(min)} ${max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${formatNumber(max)}`}.`,
    refusal,
    `\`${name}\``,
  ])
  return formatTable(['Setting', 'Default', 'What is limited', 'What a client sees', 'In the metrics'], rows)
}

const formatNumber = (value: number) => value.toLocaleString('en')

const mebibyte = 1024 * 1024

/** Bytes in a larger unit, if the number is a multiple of it; otherwise empty. */
function formatBytes(value: number): string {
  if (value === 0 || value % mebibyte > 0) return ''
  const size = value / mebibyte
  return size % 1024 === 0 ? ` (${size / 1024} GiB)` : ` (${size} MiB)`
}

if (import.meta.main) writeFileSync(new URL('../docs/settings.md', import.meta.url), formatSettingsPage())
