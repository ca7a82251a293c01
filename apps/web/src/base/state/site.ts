import { useValue } from '@legendapp/state/react'
import { firstYear, productName } from './product.ts'
import { records, session } from './stores.ts'
import { useTexts } from './texts.ts'

/** What the frame says about the site. `years` is the range of the copyright, ready to show. */
export interface Site {
  name: string
  version: string
  years: string
}

/** The site's name and version; follows the settings. */
export function useSite(): Site {
  const name = useValue(() => String(records.row$('setting', 1).get()?.site_name || productName))
  const version = useValue(() => String(records.row$('setting', 1).get()?.version ?? ''))
  return { name, version, years: `© ${firstYear}–${Math.max(firstYear, new Date().getFullYear())}` }
}

/** The foot of every page: copyright range and version (product spec, section 2); guests are not told the version. */
export function useSiteLine(): string {
  const { t } = useTexts()
  const { name, version, years } = useSite()
  return `${version === '' ? name : t('ui.frame.version', { name, version })} · ${years}`
}

/** Who is signed in, as the frame says it. */
export function useWho(): { name: string; address: string } {
  const name = useValue(() => String(session.state$.profile.get()?.username ?? ''))
  const address = useValue(() => String(session.state$.profile.get()?.login_ip ?? ''))
  return { name, address }
}
