import { fieldKey } from '../define/index.ts'
import { zoneOffset } from '../i18n/index.ts'
import type { Surface } from './cell.ts'
import type { FormModel } from './form.ts'
import type { FormRuns, FormTargets, OfflineServer } from './preview.ts'

export interface FormTargetsTexts {
  /** "All servers except 3 (117), 4 offline". */
  readonly sentence: string
  /** Says that it does nothing; null if it targets a server. */
  readonly idle: string | null
  /** Such as "113 online, will run". */
  readonly counts: readonly { readonly mode: 'online' | 'offline' | 'excepted'; readonly text: string }[]
  /** Who will miss it, and for how long it has been gone: "3 h 12 min", "never". */
  readonly missing: readonly { readonly server: OfflineServer; readonly gone: string }[]
  /** "2 more than at the last run: web-8, web-9", and who joined or left its selection. */
  readonly changes: readonly string[]
}

export interface RunsTexts {
  /** "Sat, Nov 21, 03:00:00" and "in 12 h 28 min". */
  readonly runs: readonly { readonly at: number; readonly text: string; readonly distance: string }[]
  readonly zone: string
  readonly none: string | null
}

/** `isRun` false: nothing runs there, so nobody misses anything (a group). */
export function formTargetsTexts(
  { translator, format, view }: Surface,
  targetPreview: FormTargets,
  { isRun = true }: { isRun?: boolean } = {},
): FormTargetsTexts {
  const { t, say } = translator
  const { targets, sentence } = targetPreview
  const modes = ['online', 'offline', 'excepted'] as const
  const counts = modes.map((mode) => ({ mode, count: targets[mode].length })).filter(({ count }) => count > 0)
  const change = (key: 'more' | 'fewer' | 'joined' | 'left') => {
    const names = targetPreview[key].map(({ name }) => name)
    return names.length === 0 ? [] : [t(`ui.preview.${key}`, { count: names.length, number: names.length, names })]
  }
  return {
    sentence: say(sentence.key, sentence.params),
    idle: targetPreview.isIdle ? t('ui.preview.idle') : null,
    counts: counts.map(({ mode, count }) => ({
      mode,
      text: t(isRun ? `ui.preview.${mode}` : `ui.preview.is.${mode}`, { count }),
    })),
    missing: targetPreview.offline.map((server) => ({
      server,
      gone:
        server.lastSeenAt === null
          ? t('ui.value.never')
          : format.duration((view.now - Date.parse(server.lastSeenAt)) / 1000),
    })),
    changes: (['more', 'fewer', 'joined', 'left'] as const).flatMap(change),
  }
}

export function runsTexts({ translator, format, view }: Surface, { runs, timeZone, problem }: FormRuns): RunsTexts {
  const { t } = translator
  const offset = format.offset(runs[0] ?? view.now)
  // Zones that agree today may diverge at the next clock change.
  const isSame = [view.now, ...runs].every((at) => format.offset(at) === zoneOffset(at, timeZone))
  return {
    runs: runs.map((at) => ({ at, text: format.instantLong(at), distance: format.distance(at, view.now) })),
    zone: isSame ? t('ui.preview.zone', { offset }) : t('ui.preview.zones', { offset, zone: timeZone }),
    none: problem ? t('ui.preview.noRuns') : runs.length === 0 ? t('ui.preview.never') : null,
  }
}

/** "2 changes: Schedule, Except"; null if nothing differs. */
export function changesText({ translator }: Pick<Surface, 'translator'>, form: FormModel): string | null {
  const names = form.changes().map((field) => translator.say(fieldKey(form.shape, field)))
  return names.length === 0 ? null : translator.t('ui.form.changes', { count: names.length, names })
}

/** "1 field needs attention"; null if no problem is shown. */
export function attentionText({ translator }: Pick<Surface, 'translator'>, form: FormModel): string | null {
  const count = form.shownProblems().length
  return count === 0 ? null : translator.t('ui.form.attention', { count })
}
