import { type AppCommandId, createSearch, type SearchEntry, sayText, searchPrefixes } from '@qd/core/actions'
import type { Action } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resources } from '@qd/core/resources'
import { loadMissing } from '@qd/core/store'
import { createState } from '../../screen/state/observed.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { markedText } from '../list/marked-text.ts'
import { perform } from '../perform/perform.ts'
import { profileNames } from '../perform/switch.ts'
import { createList, createSearchField } from '../views/list-overlay.tsx'

export function createPalette(ui: Ui, runCommand: (id: AppCommandId) => void): Overlay {
  const { workspace } = ui
  const { translator, frecency, t } = workspace
  const field = createSearchField({ isAlwaysIn: true, onText: () => list.first(), onEmptied: () => unpick() })
  const { input } = field
  const here = ui.screen?.resource ?? null
  const chosen = ui.screen?.chosen?.() ?? []
  const search = createSearch({
    front: 'tui',
    resources,
    surroundings: () => ({ ...workspace.surroundings(), say: translator }),
    frecency,
    connections: profileNames(ui).filter((name) => name !== workspace.settings.profile),
  })
  loadMissing(workspace.records, resources)
  const state = createState({ pick: null as Action | null })
  const hits = () => {
    const { pick } = state
    const scope = here && chosen.length > 0 && !pick ? { resource: here, rows: chosen } : null
    const files = ui.screen?.files?.folder() ?? null
    const { groups } = search.query({ query: input.text, scope, here: here?.name ?? null, pick, files })
    return groups.flatMap(({ label, hits }) => {
      // The terminal has its own theme.
      const shown = hits.filter(({ entry }) => !entry.key.startsWith('command:theme'))
      return shown.map((hit, at) => ({ ...hit, heading: at === 0 ? label : null }))
    })
  }
  const choose = (entry: SearchEntry | undefined) => {
    if (!entry) return
    if (entry.reason) return ui.say(sayText(translator, entry.reason), 'warn')
    const { goal } = entry
    frecency.use(entry.key.replace(/:do$/, ''))
    if (goal.kind === 'pick') {
      state.pick = goal.action
      input.set('')
      return list.first()
    }
    ui.close(list.overlay)
    if (goal.kind === 'action') void perform(ui, goal.action, goal.rows, goal.given)
    else if (goal.kind === 'command') runCommand(goal.command.id)
    else if (goal.kind === 'file') ui.screen?.files?.open(goal.name)
    else if (goal.kind === 'create')
      void ui.places.openForm(
        { resource: goal.resource.name, mode: 'create', id: null },
        { [goal.resource.title]: goal.title },
      )
    else {
      const open = resources.find(({ name }) => name === goal.resource)?.actions.open
      const row = workspace.records.peek(goal.resource, goal.id)
      if (open && row) void perform(ui, open, [row])
    }
  }
  const unpick = () => {
    state.pick = null
    list.first()
  }
  const prefixes = searchPrefixes
    .filter(({ only }) => only !== 'user' && (only !== 'files' || ui.screen?.files))
    .map(({ prefix, label }) => `${prefix} ${sayText(translator, label)}`)
  const list = createList(ui, {
    title() {
      const { pick } = state
      const name = pick && translator.say(`resources.${pick.resource}.actions.${pick.name}`)
      return [t('ui.tui.palette.title'), name].filter(Boolean).join(' › ')
    },
    items: hits,
    heading: ({ heading }) => heading && sayText(translator, heading),
    show: ({ entry, ranges }) => ({
      label: markedText(
        entry.title,
        ranges.map(([from, to]) => ({ from, to, role: 'accent' })),
      ).map((piece) => ({ ...piece, text: plainText(piece.text) })),
      detail: ` ${plainText(entry.detail)}`,
      reason: entry.reason && ` ${sayText(translator, entry.reason)}`,
      chord: entry.chord.tui,
    }),
    none: () => t('ui.palette.nothing', { query: input.text }),
    most: 14,
    labelCells: (columns) => Math.min(44, columns - 30),
    search: { ...field, mark: ' › ', right: () => prefixes.join('  ') },
    keys: {
      Enter: { hint: 'choose', run: () => choose(list.focused()?.entry) },
      'Ctrl+n': () => list.next(),
      'Ctrl+p': () => list.previous(),
    },
    overlay: {
      layer: 'palette',
      cliLine: (): string | null => list.focused()?.entry.cli ?? null,
      command({ command }) {
        const isLeft = command === 'escape' && state.pick !== null
        if (isLeft) unpick()
        return isLeft
      },
    },
  })
  return list.overlay
}
