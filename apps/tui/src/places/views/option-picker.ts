import { observable } from '@legendapp/state'
import { plainText } from '@qd/core/fields'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createList, createSearchField } from './list-overlay.tsx'
import { checkBox } from './picker.ts'

/** Space selects, `/` filters. `done` gets texts in the order of options. */
export function createOptionPicker(
  ui: Ui,
  request: {
    title: string
    options: readonly string[]
    chosen: readonly string[]
    done(chosen: readonly string[]): void
  },
): Overlay {
  const { title, options, done } = request
  const { t } = ui.workspace
  const chosen$ = observable<readonly string[]>(request.chosen)
  const isChosen = (option: string) => chosen$.get().includes(option)
  const search = createSearchField({ onText: () => list.first() })
  const listed = () => options.filter((option) => option.toLowerCase().includes(search.input.text.trim().toLowerCase()))
  const toggle = (option: string | undefined) => {
    if (option !== undefined)
      chosen$.set(isChosen(option) ? chosen$.get().filter((one) => one !== option) : [...chosen$.get(), option])
  }
  const list = createList<string>(ui, {
    title: () => title,
    right: () => t('ui.tui.list.chosen', { count: chosen$.get().length }),
    items: listed,
    show: (option) => ({ ...checkBox(ui, isChosen(option), true), label: plainText(option) }),
    none: () => t('ui.list.noResults'),
    most: 12,
    search: { ...search, mark: ' /', right: () => String(listed().length) },
    keys: {
      Enter: {
        hint: 'done',
        run() {
          ui.close(list.overlay)
          done(options.filter(isChosen))
        },
      },
      Space: { hint: 'mark', run: () => toggle(list.focused()) },
      Tab() {
        toggle(list.focused())
        list.next()
      },
    },
    letters: { x: () => toggle(list.focused()) },
    pressed: toggle,
  })
  return list.overlay
}
