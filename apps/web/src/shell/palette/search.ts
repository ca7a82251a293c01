import { observe } from '@legendapp/state'
import { createFrecency, createSearch, type Frecency, type Search } from '@qd/core/actions'
import { resources } from '@qd/core/resources'
import { ports, whenIdle } from '../../base/ports.ts'
import { actionContext, records, remembered, session } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'

export const frecency: Frecency = createFrecency(ports, {
  load: () => remembered.read('main', 'palette'),
  save: (uses) => remembered.write('main', 'palette', uses),
})

export const search: Search = createSearch({
  front: 'web',
  resources,
  surroundings: () => ({ ...actionContext(), supports: (name) => session.supports(name), say: texts().translator }),
  frecency,
})

/**
 * Indexes records after list changes when the browser is idle, so that the first key is as fast as the others. Returns
 * the function that stops it.
 */
export function keepWarm(): () => void {
  let isDue = false
  const warm = (lists = search.warm()) => {
    isDue = !lists.next().done
    if (isDue) whenIdle(() => warm(lists))
  }
  return observe(() => {
    for (const { name, host } of resources) if (!host) records.version$(name).get()
    if (isDue) return
    isDue = true
    whenIdle(() => warm())
  })
}
