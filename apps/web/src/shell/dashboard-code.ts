import { observe } from '@legendapp/state'
import { notify } from '../base/state/overlays.ts'
import { records, session } from '../base/state/stores.ts'
import { texts } from '../base/state/texts.ts'
import { injectCode } from '../public/custom-code.ts'

/**
 * Follows the administrator's own code for the console (decisions.md "Custom code"): signed-in pages only. Nothing takes a running
 * script back, so the page is loaded anew when the sign-in ends before the sign-in page is shown.
 */
export function followDashboardCode(): void {
  let injected = ''
  observe(() => {
    const status = session.state$.status.get()
    const code = records.row$('setting', 1).get()?.custom_code_dashboard
    if (status === 'guest' && injected !== '') location.replace('/dashboard/login')
    if (status !== 'signedIn' || typeof code !== 'string' || code === injected) return
    injected = code
    void injectCode(code)
    if (code === '') notify({ tone: 'plain', title: texts().t('ui.settings.codeRemoved') })
  })
}
