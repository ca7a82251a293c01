import type { AnyRow, View, Viewer } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import { resources } from '@qd/core/resources'
import { createArgumentsForm, createForm, type FormModel } from '@qd/core/view'

/** A form and how to open it anew. */
export interface OpenForm {
  name: string
  open: () => FormModel
}

/** Every form there is: of a new record, and of an action's arguments. Those of servers act on the first one of `view`. */
export function everyForm(by: { view: View; viewer: Viewer; translator: Translator }): OpenForm[] {
  return resources.flatMap((resource) => {
    const create = () => createForm({ resource, mode: 'create', row: null, ...by })
    const asked = Object.values(resource.actions).flatMap((action): OpenForm[] => {
      const { args } = action
      if (!args) return []
      const row: AnyRow = by.view.all(resource.name)[0] ?? resource.read.parse({ id: 1 })
      const open = () => createArgumentsForm({ action, args, resource, rows: [row], start: args.initial, ...by })
      return [{ name: args.name, open }]
    })
    return resource.form.length > 0 ? [{ name: resource.name, open: create }, ...asked] : asked
  })
}
