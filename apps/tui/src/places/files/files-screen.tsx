import { titleOf } from '@qd/core/define'
import { canRetry, folderCommands, isFolder, shownName } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import { server as servers } from '@qd/core/resources'
import { copy } from '../../screen/state/copy.ts'
import { createState } from '../../screen/state/observed.ts'
import { hintsIf, type Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { askQuestion } from '../views/question.tsx'
import { stepCommands } from '../views/steps.ts'
import { createFilesActions } from './files-actions.ts'
import { filesHead, filesLines, type Typing } from './files-lines.ts'
import { createFilesState } from './files-state.ts'

export function createFilesScreen(ui: Ui, server: number): Screen {
  const state = createFilesState(ui, server)
  const { browser, queue } = state.controller
  const actions = createFilesActions(ui, state)
  const { operations } = actions
  const { translator, records, t } = ui.workspace
  const own = createState({ typing: null as Typing | null, top: 0 })
  let room = 20
  let isAsked = false

  const row = () => records.peek('server', server)
  const name = () => (row() ? titleOf(servers, row()!) : `#${server}`)
  const settle = (rows: number) => {
    room = rows
    const { cursor, shown } = browser.state()
    const top = Math.max(0, Math.min(own.top, shown.length - rows))
    own.top = cursor < 0 ? top : Math.max(cursor - rows + 1, Math.min(top, cursor))
    return own.top
  }
  const move = (by: number) => (state.preview ? state.preview.scroll.scroll(by) : browser.move(by))
  const begin = (what: Typing['what']) => {
    own.typing = { what, input: createTextInput(what === 'filter' ? browser.state().filter : '') }
    if (what === 'find') browser.setFind('')
  }
  const endTyping = () => {
    if (own.typing?.what === 'find') browser.setFind(null)
    own.typing = null
  }
  /** Type-ahead ends at its entry or folder, and if no folder could be read. */
  const typed = () => {
    const { find, status, path } = browser.state()
    const isUnread = status === 'failed' && path === ''
    if (own.typing?.what === 'find' && (find === null || isUnread)) own.typing = null
    return own.typing
  }
  const open = async () => {
    await ui.bring(state.controller.openEntry(), (file) => {
      if (file) void state.showLook(file)
    })
  }
  const current = () => state.preview?.entry ?? browser.current()
  const folder = folderCommands(state.controller, operations, ui.during)
  const commands: Readonly<Record<string, () => void>> = {
    ...folder,
    ...stepCommands(move, () => room),
    first: () => (state.preview ? state.preview.scroll.first() : folder.first()),
    last: () => (state.preview ? state.preview.scroll.last() : folder.last()),
    filter: () => begin('filter'),
    jump: () => begin('find'),
    openEntry: () => void open(),
    look() {
      const entry = browser.current()
      if (state.preview) state.closePreview()
      else if (entry && isFolder(entry)) void open()
      else if (entry) void state.showLook(entry)
    },
    follow: state.follow,
    parentFolder: () => (state.preview ? state.closePreview() : folder.parentFolder()),
    goToPath: () => void actions.goTo(server),
    download: () => void actions.download(state.preview ? [state.preview.entry] : browser.chosen()),
    upload: () => void actions.upload(),
    copyPath: () => copy(ui, operations.pathOf(current())),
    editFile: () => void actions.edit(current()),
  }
  const askToGo = async () => {
    if (isAsked) return
    isAsked = true
    const goes = await askQuestion(ui, {
      title: t('ui.files.leave.title'),
      body: t('ui.files.leave.text'),
      go: t('ui.files.leave.go'),
      bad: true,
    })
    isAsked = false
    if (!goes) return
    queue.cancelAll()
    ui.pop()
  }

  const screen: Screen = {
    key: `files:${server}`,
    layer: 'files',
    resource: null,
    place: () => [name(), t('ui.files.title'), shownName(browser.state().path)],
    count() {
      const { entries, shown, filter } = browser.state()
      return filter === ''
        ? String(entries.length)
        : t('ui.files.shown', { shown: shown.length, count: entries.length })
    },
    files: {
      folder: () => ({ entries: browser.state().entries, without: operations.missing() }),
      open(wanted) {
        browser.setFilter('')
        browser.moveTo(browser.state().shown.findIndex((entry) => entry.name === wanted))
        void open()
      },
    },
    unsaved: () => (queue.isBusy() ? 1 : 0),
    isTyping: () => typed() !== null,
    hints() {
      const typing = typed()
      const open = { text: t('ui.keys.openEntry') }
      const download = { text: t('ui.keys.download') }
      if (typing) return { Enter: typing.what === 'find' ? open : 'keepFilter', Escape: 'leaveField' }
      if (state.preview) return { j: 'scroll', F: { text: t('ui.keys.follow') }, d: download, Escape: 'back' }
      return {
        Enter: open,
        Space: { text: t('ui.keys.look') },
        d: download,
        u: { text: t('ui.keys.upload') },
        ...hintsIf(queue.list().some(canRetry), { T: { text: t('ui.files.transfer.retry') } }),
        '/': 'filter',
        f: { text: t('ui.keys.jump') },
        g: { text: t('ui.keys.goToPath') },
        '?': 'keys',
      }
    },
    command({ command }) {
      const run = commands[command]
      if (!run) return false
      if (operations.unsupported().has(command)) ui.say(t('ui.files.unsupported'), 'warn')
      else run()
      return true
    },
    goToRow(number) {
      if (state.preview) state.preview.scroll.goTo(number - 1)
      else browser.moveTo(number - 1)
    },
    input(event) {
      const typing = typed()
      if (!typing) return
      const chord = event.type === 'key' ? event.chord : ''
      if (chord === 'Enter') {
        if (typing.what === 'find') void open()
        else endTyping()
      } else if (chord === 'ArrowDown' || chord === 'ArrowUp') {
        const step = chord === 'ArrowDown' ? 1 : -1
        if (typing.what === 'find') browser.findNext(step)
        else browser.move(step)
      } else {
        typing.input.input(event)
        if (typing.what === 'find') browser.setFind(typing.input.text)
        else browser.setFilter(typing.input.text)
      }
    },
    escape() {
      const { filter, marks } = browser.state()
      if (typed()) endTyping()
      else if (state.preview) state.closePreview()
      else if (filter !== '') browser.setFilter('')
      else if (marks.size > 0) browser.clearMarks()
      else if (queue.list().length > 0 && !queue.isBusy()) queue.clear()
      else if (queue.isBusy()) void askToGo()
      else return false
      return true
    },
    click(at) {
      const index = own.top + at - filesHead
      if (state.preview || at < filesHead || !browser.state().shown[index]) return false
      browser.moveTo(index)
      return true
    },
    scroll: move,
    spoken() {
      const { shown, cursor, status, error } = browser.state()
      const entry = browser.current()
      if (state.preview?.loaded?.preview.kind === 'text')
        return state.preview.loaded.preview.text.split('\n').slice(-50)
      if (status === 'failed' && error && !entry) return [errorText(translator, error).title]
      const text = entry ? shownName(entry.name) : t('ui.files.empty')
      return [t('ui.tui.spoken.choice', { index: cursor + 1, count: shown.length, text })]
    },
    enter() {
      void ui.during(browser.go(''))
      const stopWatching = state.watch()
      const stopRetrying = ui.workspace.live.state$.feed.onChange(({ value }) => {
        if (value.status === 'live') void browser.retry()
      })
      return () => {
        stopRetrying()
        stopWatching()
      }
    },
    cliLine: () => operations.cliLine({ id: server, name: row() ? name() : '' }, current()),
    View: () => <LiveRows lines={(area) => filesLines(ui, state, typed(), area, settle)} />,
  }
  return screen
}
