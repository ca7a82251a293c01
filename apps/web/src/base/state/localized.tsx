import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTexts } from './texts.ts'

export function Localized({ children }: { children: ReactNode }) {
  const { translator } = useTexts()
  return <I18nProvider locale={translator.language}>{children}</I18nProvider>
}
