import { createFrecency, createSearch, type Frecency, type Search } from '@qd/core/actions'
import { resources } from '@qd/core/resources'
import { ports } from '../ports.ts'
import { actionContext, session, shelf } from '../stores.ts'
import { texts } from '../texts.ts'

/** What this person uses often and lately. */
export const frecency: Frecency = createFrecency(ports, {
  load: () => shelf.read('main', 'palette'),
  save: (uses) => shelf.write('main', 'palette', uses),
})

/** The palette's search over actions, commands and records. */
export const search: Search = createSearch({
  resources,
  surroundings: () => ({ ...actionContext(), supports: (name) => session.supports(name), say: texts().translator }),
  frecency,
})
