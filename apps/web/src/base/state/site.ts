import { useValue } from '@legendapp/state/react'
import { firstYear, productName } from './product.ts'
import { records, session } from './stores.ts'
import { useTexts } from './texts.ts'

export interface Site {
  name: string
  version: string
  years: string
}

export function useSite(): Site {
  const name = useValue(() => String(records.row$('setting', 1).get()?.site_name || productName))
  const version = useValue(() => String(records.row$('setting', 1).get()?.version ?? ''))
  return { name, version, years: `© ${firstYear}–${Math.max(firstYear, new Date().getFullYear())}` }
}

/** The footer (product spec, section 2); guests don’t see the version. */
export function useSiteLine(): string {
  const { t } = useTexts()
  const { name, version, years } = useSite()
  return `${version === '' ? name : t('ui.frame.version', { name, version })} · ${years}`
}

export function useWho(): { name: string; address: string } {
  const name = useValue(() => String(session.state$.profile.get()?.username ?? ''))
  const address = useValue(() => String(session.state$.profile.get()?.login_ip ?? ''))
  return { name, address }
}
