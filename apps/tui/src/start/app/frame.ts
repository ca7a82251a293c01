import { keyTable, sayText } from '@qd/core/actions'
import { type Tone, textKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { keyText } from '../../screen/state/actions.ts'
import { hintsOf, hintText } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, lineWidth, span, wrapText } from '../../screen/terminal/line.ts'
import { hintSpans } from '../../screen/terminal/screen-style.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { listOfNumber } from './commands.ts'

/** Words of a warning are readable on every ground. */
const flashRole = (tone: Tone): Role => (tone === 'warn' ? 'warnWord' : tone)

const hintGap = 2
/** `▲ Connection lost. Showing 14:31:49, 18 s old. Trying again in 4 s, R now` */
export function lossLine(ui: Ui, columns: number): Line | null {
  const { translator, format } = ui.workspace
  const { t } = translator
  const loss = ui.workspace.loss()
  if (!loss) return null
  const now = ui.io.now()
  const key = keyText(ui, 'R')
  const seconds = (ms: number) => format.duration(Math.max(1, Math.round(ms / 1000)))
  const wait = loss.retryAt === null ? null : seconds(loss.retryAt - now)
  const text = (): string => {
    if (wait === null && loss.error)
      return t('ui.tui.lost.failed', { error: errorText(translator, loss.error).title, key })
    if (wait === null) return t('ui.tui.lost.trying')
    if (loss.dataAt === null) return t('ui.tui.lost.nothing', { wait, key })
    return t('ui.tui.lost.again', { time: format.clock(loss.dataAt), span: seconds(now - loss.dataAt), wait, key })
  }
  return fitLine([span(' ▲ ', 'warn'), span(text(), 'warnWord')], columns)
}

const errorRows = 3

function errorLines(text: string, role: Role, columns: number): readonly Line[] {
  const lines = wrapText(plainText(text), columns - 1).slice(0, errorRows)
  return lines.map((line) => [span(` ${line}`, role)])
}

/** Why the connection is lost and what to do. If this is known, no other error is shown. */
function lossReason(ui: Ui): string {
  const loss = ui.workspace.loss()
  if (!loss?.error || loss.retryAt === null) return ''
  const { title, details, hint } = errorText(ui.workspace.translator, loss.error)
  const why = loss.error.code === 'unreachable' && details.length > 0 ? details : [title, ...details]
  return [...why, hint].filter((text) => text !== undefined).join(' · ')
}

/** Message, undo, key sequence or connection error; errors may take several lines; at least one. */
export function flashLines(ui: Ui, columns: number): readonly Line[] {
  const { flash, undo, pending } = ui
  const { t } = ui.workspace.translator
  if (ui.waits) return [waitingLine(ui, columns)]
  if (pending !== null) return [pendingLine(ui, pending, columns)]
  if (flash) {
    const mark = { ok: '✓ ', bad: '✗ ', warn: '▲ ', plain: '', muted: '', accent: '' }[flash.tone]
    const text = `${mark}${flash.text}`
    if (flash.tone === 'bad' || flash.tone === 'warn') return errorLines(text, flashRole(flash.tone), columns)
    return [cutLine([span(` ${text}`, flashRole(flash.tone))], columns)]
  }
  if (!undo) return errorLines(lossReason(ui), 'warnWord', columns)
  const seconds = Math.ceil((undo.until - ui.io.now()) / 1000)
  return [cutLine([span(` ✓ ${t('ui.tui.undo', { text: undo.text, key: 'z', seconds })}`, 'ok')], columns)]
}

function waitingLine(ui: Ui, columns: number): Line {
  const { t } = ui.workspace.translator
  const cancel = hintSpans(ui.style, keyText(ui, 'Escape'), t('ui.tui.hints.cancel'))
  return cutLine([span(` ${t('ui.list.loading')}  `, 'muted'), ...cancel], columns)
}

/** Continuations of a key sequence (behaviour P-29). */
function pendingLine(ui: Ui, pending: string, columns: number): Line {
  const { translator, say } = ui.workspace
  const bindings = keyTable(ui.screen?.resource ?? null, 'tui', { viewer: ui.workspace.session.viewer() })
  const next = bindings.filter(({ chord }) => chord.startsWith(`${pending} `))
  const choices = next.flatMap(({ chord, label }) => [
    ...hintSpans(ui.style, chord.slice(pending.length + 1), sayText(translator, label)),
    span('  '),
  ])
  const list = listOfNumber(ui, Number(pending))
  const numbered = list ? line(say(textKey.many(list.name)), 'muted') : []
  return cutLine([span(` ${pending} … `, 'accent'), ...choices, ...numbered], columns)
}

/** Keys by frequency, as many as fit, always with `?` and the way out. */
export function hintLine(ui: Ui, columns: number): Line {
  let kept = hintsOf(ui.overlay ?? ui.screen).map(([chord, hint]) => ({
    isNeeded: ['?', 'Escape', ':', '/', 'x'].includes(chord),
    spans: [...hintSpans(ui.style, keyText(ui, chord), hintText(ui.workspace, hint)), blank(hintGap)],
  }))
  const width = () => kept.reduce((sum, { spans }) => sum + lineWidth(spans), 1 - hintGap)
  while (width() > columns) {
    const last = kept.findLastIndex(({ isNeeded }) => !isNeeded)
    if (last < 0) break
    kept = kept.filter((_, index) => index !== last)
  }
  return cutLine([span(' '), ...kept.flatMap(({ spans }) => spans).slice(0, -1)], columns)
}
