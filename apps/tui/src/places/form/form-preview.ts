import { textKey } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { type FormModel, type FormTargetsTexts, formTargetsTexts, type RunsTexts, runsTexts } from '@qd/core/view'
import { meter } from '../../screen/fields/meter.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { cutLine, fitLine, type Line, line, lineWidth, ruleLine, span, wrapText } from '../../screen/terminal/line.ts'

const missingShown = 4
const saidShown = 16
const marks = { online: ['●', 'ok'], offline: ['■', 'bad'], excepted: ['○', 'muted'] } as const

export function previewLines(ui: Ui, model: FormModel, { cells, tall }: { cells: number; tall: boolean }): Line[] {
  const { translator } = ui.workspace
  const surface = ui.workspace.surface()
  const title = (text: string): Line => sectionTitle(text, { cells, tall })
  const inset = (drawn: Line): Line => cutLine(tall ? drawn : [span(' '), ...drawn], cells)
  const targetPreview = model.targetPreview()
  const isRun = !model.resource || Object.values(model.resource.actions).some(({ starts }) => starts === 'run')
  const runs = model.runs()
  const share =
    targetPreview && targetPreview.targets.ids.length > 0
      ? targetPreview.targets.online.length / targetPreview.targets.ids.length
      : null
  const targets = targetPreview
    ? targetLines(formTargetsTexts(surface, targetPreview, { isRun }), { cells, tall, share })
    : []
  const due = runs ? runLines(ui, runsTexts(surface, runs), { cells, tall }) : []
  const offset = tall ? '' : `, ${ui.workspace.format.offset(runs?.runs[0] ?? surface.view.now)}`
  const said = (model.preview() ?? []).flatMap((text) => plainLines(text).split('\n')).slice(0, saidShown)
  const parts = [
    targetPreview ? [title(translator.t('ui.preview.title')), ...targets.map(inset)] : [],
    runs ? [title(translator.t('ui.preview.runs') + offset), ...due.map(inset)] : [],
    said.length > 0
      ? [
          title(translator.say(textKey.preview(model.shape.name))),
          ...said.flatMap((text) => wrapText(text, cells - 2)).map((text) => inset(line(text))),
        ]
      : [],
  ].filter((part) => part.length > 0)
  return parts.flatMap((part, index) => (tall && index > 0 ? [[], ...part] : part))
}

export function sectionTitle(text: string, { cells, tall }: { cells: number; tall: boolean }): Line {
  return tall ? line(text, 'bold') : ruleLine([span(text, 'bold')], cells)
}

function targetLines(
  { sentence, idle, counts, missing, changes }: FormTargetsTexts,
  { cells, tall, share }: { cells: number; tall: boolean; share: number | null },
): Line[] {
  const count = ({ mode, text }: FormTargetsTexts['counts'][number]): Line => {
    const [mark, role] = marks[mode]
    return [span(`${mark} `, role), span(text, mode === 'offline' ? 'bad' : mode === 'excepted' ? 'muted' : 'plain')]
  }
  const gone = ({ server, gone: since }: FormTargetsTexts['missing'][number]): Line => [
    span('■ ', 'bad'),
    ...(tall ? fitLine(line(plainText(server.name)), 16) : line(`${plainText(server.name)} `)),
    span(tall ? since : since.replaceAll(' ', ''), 'muted'),
  ]
  const moved = [
    ...(idle === null ? [] : [line(idle, 'warn')]),
    ...changes.map((change) => line(plainText(change), 'muted')),
  ]
  const shown = missing.slice(0, missingShown)
  if (tall) {
    const bar = share === null ? [] : [meter(share * 100, 'plain', Math.min(cells - 1, 37))]
    return [
      line(sentence),
      ...bar,
      ...counts.map(count),
      ...(shown.length > 0 ? [[], ...shown.map(gone)] : []),
      ...moved,
    ]
  }
  const inOne = counts.filter(({ mode }) => mode !== 'excepted').flatMap((one) => [span('   '), ...count(one)])
  const listed = shown.flatMap((one, index) => [span(index === 0 ? '' : '   '), ...gone(one)])
  const first = [span(sentence), ...inOne]
  const lines = lineWidth(first) < cells ? [first] : [[span(sentence)], inOne.slice(1)]
  return [...lines, ...(shown.length > 0 ? [listed] : []), ...moved]
}

function runLines(ui: Ui, { runs, zone, none }: RunsTexts, { cells, tall }: { cells: number; tall: boolean }): Line[] {
  if (none !== null) return [line(none, 'muted')]
  const long = (one: RunsTexts['runs'][number]): Line => [...fitLine(line(one.text), 28), span(one.distance, 'muted')]
  if (tall) return [...runs.map(long), ...wrapText(zone, cells - 2).map((text) => line(text, 'muted'))]
  const { format, view } = ui.workspace
  const later = runs.slice(1).map(({ at }) => format.instant(at, view.now))
  return [...runs.slice(0, 1).map(long), ...(later.length > 0 ? [line(later.join('   '), 'muted')] : [])]
}
