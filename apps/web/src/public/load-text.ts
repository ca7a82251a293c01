import { plainText, planTexts, readPlan } from '@qd/core/fields'
import type { Format, Translator } from '@qd/core/i18n'
import { serverFigures } from '@qd/core/resources'
import type { PublicServer } from './public-server.ts'

type Texts = Pick<Translator, 't'> & { format: Pick<Format, 'percent'> }

/** "memory 97 %": the metric closest to its limit. */
export function loadText({ t, format }: Texts, { figure, value }: NonNullable<PublicServer['load']>): string {
  return t(`ui.public.load.${figure}`, { value: format.percent(value) })
}

const shown = ['cpu', 'memory', 'disk'] as const

/** The same for each metric that the server measures. */
export function loadTexts(texts: Texts, { sample }: Pick<PublicServer, 'sample'>): string[] {
  return shown.flatMap((figure) => {
    const value = serverFigures[figure](sample)
    return value === null ? [] : loadText(texts, { figure, value })
  })
}

/** The public note, in words if it holds a plan. */
export function noteText({ translator }: { translator: Translator }, { note }: Pick<PublicServer, 'note'>): string {
  const plan = readPlan(note)
  return plan ? planTexts(translator, plan).map(plainText).join(' · ') : note
}
