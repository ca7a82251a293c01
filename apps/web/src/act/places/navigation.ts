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

export function useFamily({ family }: Resource): readonly Resource[] {
  useViewer()
  const members =
    family === null ? [] : resources.filter((one) => one.family === family && isThere(one) && hasPage(one))
  return members.length > 1 ? members : []
}

export function useLists(place: Resource['place']): readonly Resource[] {
  useViewer()
  return resources.filter((resource) => resource.wire.shape === 'many' && resource.place === place && isThere(resource))
}

/** A tab of the frame: a resource or a family. `members` have pages; the tab leads to the first. */
export interface Tab {
  family: Family | null
  members: readonly Resource[]
}

export function useTabs(): readonly Tab[] {
  const lists = useLists('tab')
  const isFirst = ({ name, family }: Resource) =>
    family === null || lists.find((one) => one.family === family)?.name === name
  return lists.filter(isFirst).map((resource) => ({
    family: resource.family,
    members: resource.family ? lists.filter(({ family }) => family === resource.family) : [resource],
  }))
}

export function tabLabel({ family, members }: Tab, { t, say }: Pick<Texts, 't' | 'say'>): string {
  return family && members.length > 1 ? t(`ui.families.${family}`) : say(tabKey(firstItem(members)))
}

export function resourceAt(pathname: string): Resource | undefined {
  const at = pathname.replace(/\/+$/, '')
  const fits = resources.filter(({ path }) => at === path || at.startsWith(`${path}/`))
  return fits.sort((a, b) => b.path.length - a.path.length)[0]
}
