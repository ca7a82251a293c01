import { useValue } from '@legendapp/state/react'
import { allowed, type Family, type Resource, tabKey } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { resources } from '@qd/core/resources'
import { session } from '../../base/state/stores.ts'
import type { Texts } from '../../base/state/texts.ts'

function isThere(resource: Resource): boolean {
  const need = { audience: resource.audience.read, scope: resource.scopes.read }
  return allowed(session.viewer(), need) && (resource.requires === null || session.supports(resource.requires))
}

const useViewer = () =>
  useValue(() =>
    JSON.stringify([
      session.state$.capabilities.get(),
      session.state$.profile.get()?.id,
      session.state$.profile.get()?.role,
    ]),
  )

/** The page of a single record is its form. */
const hasPage = ({ wire, actions: { edit } }: Resource) =>
  wire.shape === 'many' || (edit !== undefined && allowed(session.viewer(), edit))

/** The resources whose pages stand beside this one's, with itself; empty if it stands alone. */
export function useFamily({ family }: Resource): readonly Resource[] {
  useViewer()
  const members =
    family === null ? [] : resources.filter((one) => one.family === family && isThere(one) && hasPage(one))
  return members.length > 1 ? members : []
}

/** The resources that have a list here and that this person may see, in the registry's order, as tabs or in the menu of the account. */
export function useLists(place: Resource['place']): readonly Resource[] {
  useViewer()
  return resources.filter((resource) => resource.wire.shape === 'many' && resource.place === place && isThere(resource))
}

/** A tab of the frame: a resource, or a family of them; `members` have pages here, the first is where it leads. */
export interface Tab {
  family: Family | null
  members: readonly Resource[]
}

/** The tabs in the registry's order; a family stands where its first member would. */
export function useTabs(): readonly Tab[] {
  const lists = useLists('tab')
  const isFirst = ({ name, family }: Resource) =>
    family === null || lists.find((one) => one.family === family)?.name === name
  return lists.filter(isFirst).map((resource) => ({
    family: resource.family,
    members: resource.family ? lists.filter(({ family }) => family === resource.family) : [resource],
  }))
}

/** What a tab is called: its family's name, or the resource's where it stands alone. */
export function tabLabel({ family, members }: Tab, { t, say }: Pick<Texts, 't' | 'say'>): string {
  return family && members.length > 1 ? t(`ui.families.${family}`) : say(tabKey(firstItem(members)))
}

/** The resource whose page a path belongs to; the longest path wins. */
export function resourceAt(pathname: string): Resource | undefined {
  const at = pathname.replace(/\/+$/, '')
  const fits = resources.filter(({ path }) => at === path || at.startsWith(`${path}/`))
  return fits.sort((a, b) => b.path.length - a.path.length)[0]
}
