import { useValue } from '@legendapp/state/react'
import { allowed, type Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { session } from './stores.ts'

function isThere(resource: Resource): boolean {
  const need = { audience: resource.audience.read, scope: resource.scopes.read }
  return allowed(session.viewer(), need) && (resource.requires === null || session.supports(resource.requires))
}

/** The resources that have a list here and that this person may see, in the registry's order, as tabs or in the menu of the account. */
export function useLists(place: Resource['place']): readonly Resource[] {
  useValue(() =>
    JSON.stringify([
      session.state$.capabilities.get(),
      session.state$.profile.get()?.id,
      session.state$.profile.get()?.role,
    ]),
  )
  return resources.filter((resource) => resource.wire.shape === 'many' && resource.place === place && isThere(resource))
}

/** The resource whose page a path belongs to; the longest path wins. */
export function resourceAt(pathname: string): Resource | undefined {
  const at = pathname.replace(/\/+$/, '')
  const fits = resources.filter(({ path }) => at === path || at.startsWith(`${path}/`))
  return fits.sort((a, b) => b.path.length - a.path.length)[0]
}
