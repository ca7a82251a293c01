import type { Surface } from '@qd/core/view'
import { session, view } from './stores.ts'
import { texts } from './texts.ts'

/** What values are shown with, now: language, formats, records and who looks. Tracked inside an observing context. */
export function surface(): Surface {
  const { translator, format } = texts()
  return { translator, format, view, viewer: session.viewer() }
}
