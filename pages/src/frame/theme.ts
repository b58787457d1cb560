/** Light or dark: as the person chose in this browser, and else as the system says. */
export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const storageKey = 'cartulary.theme'
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

/** Applies it from now on. */
export function followTheme(): void {
  applyTheme()
  systemIsDark.addEventListener('change', applyTheme)
}

function applyTheme(): void {
  const theme = presentTheme()
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches)
  document.documentElement.classList.toggle('wa-dark', isDark)
  document.documentElement.classList.toggle('wa-light', !isDark)
}
