import type { Theme } from '@qd/core/store'
import { session } from './stores.ts'

/** The theme on screen for a choice: `system` follows the machine. */
function resolveTheme(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Keeps the attribute on the root in step with the choice and the machine; `theme/first-paint.ts` set it before the first paint. */
export function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset.theme = resolveTheme(session.state$.theme.peek())
  }
  session.state$.theme.onChange(apply)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
  apply()
}
