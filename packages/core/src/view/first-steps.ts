import { type Action, type AnyRow, allowed, type ResourceName, type View, type Viewer } from '../define/index.ts'
import { resourceByName } from '../resources/index.ts'

/** What a new installation needs, in this order; texts at `ui.first.steps.<step>`. Whether it is done is read from the records themselves. */
const steps = [
  { step: 'server', resource: 'server', action: 'install', isDone: ({ all }) => all('server').length > 0 },
  { step: 'notifier', resource: 'notification', action: 'create', isDone: ({ all }) => all('notification').length > 0 },
  { step: 'rule', resource: 'alert-rule', action: 'create', isDone: ({ all }) => all('alert-rule').length > 0 },
  {
    step: 'name',
    resource: 'setting',
    action: 'edit',
    field: 'dashboard_host',
    isDone: ({ find }) => Boolean(find('setting', 1)?.dashboard_host),
  },
  { step: 'factor', resource: 'account', action: 'totp', isDone: (_view, account) => account?.totp === true },
] as const satisfies readonly {
  step: string
  resource: ResourceName
  action: string
  field?: string
  isDone(view: Pick<View, 'all' | 'find'>, account: AnyRow | null): boolean
}[]

/** One step: what does it, and whether it is done. `field`: of the one record that the action edits. */
export interface FirstStep {
  readonly step: (typeof steps)[number]['step']
  readonly action: Action
  readonly field: string | null
  readonly isDone: boolean
}

/** The first steps that this viewer may take on this server. */
export function firstSteps(
  view: Pick<View, 'all' | 'find'>,
  from: { viewer: Viewer; account: AnyRow | null; supports(capability: string): boolean },
): FirstStep[] {
  return steps.flatMap(({ step, resource, action: name, isDone, ...more }) => {
    const action = resourceByName(resource)?.actions[name]
    if (!action || !allowed(from.viewer, action)) return []
    if (action.capability !== null && !from.supports(action.capability)) return []
    return { step, action, field: 'field' in more ? more.field : null, isDone: isDone(view, from.account) }
  })
}
