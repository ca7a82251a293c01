import type { Surface } from '@qd/core/view'
import { session, view } from './stores.ts'
import { texts } from './texts.ts'

export function surface(): Surface {
  const { translator, format } = texts()
  return { translator, format, view, viewer: session.viewer() }
}
