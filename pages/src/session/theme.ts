import { Changes } from '../state/changes.ts'
import { ownName } from '../state/own-name.ts'

/** Light or dark: the person's choice in this browser, otherwise that of the system. */
export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const storageKey = ownName('theme')
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')

export function presentTheme(): Theme {
  const stored = window.localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') window.localStorage.removeItem(storageKey)
  else window.localStorage.setItem(storageKey, theme)
  applyTheme()
}

/** Applies the theme, and follows changes of that of the system. */
export function followTheme(): void {
  applyTheme()
  systemIsDark.addEventListener('change', applyTheme)
}

export const themeChanges = new Changes()

/** Whether the pages are dark at present. */
export function isDark(): boolean {
  const theme = presentTheme()
  return theme === 'dark' || (theme === 'system' && systemIsDark.matches)
}

function applyTheme(): void {
  document.documentElement.classList.toggle('wa-dark', isDark())
  document.documentElement.classList.toggle('wa-light', !isDark())
  themeChanges.emit()
}
