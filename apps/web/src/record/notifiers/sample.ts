import { type Observable, observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { isOnline, siteTimeZone } from '@qd/core/resources'
import { fillTemplate, type TemplateFill, type TemplateServer } from '@qd/core/schemas'
import { ports } from '../../base/ports.ts'
import { records, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'

/** The server of template previews; null: the first that reports. */
export const sampleServer$: Observable<number | null> = observable<number | null>(null)

/** Template values for previews: a message and the server’s current figures. */
export function useSample(units: boolean): { fill: TemplateFill; name: string | null; id: number | null } {
  const { t } = useTexts()
  const server = useValue(() => {
    const all = view.all('server')
    const chosen = all.find(({ id }) => id === sampleServer$.get())
    const reporting = all.find(({ last_active }) => isOnline({ last_active: last_active as string | null }, view.now))
    const row = chosen ?? reporting ?? all[0]
    return row ? (records.row$('server', row.id).get() as unknown as TemplateServer) : null
  })
  const timeZone = useValue(() => siteTimeZone(view))
  const name = server?.name ?? null
  const message = t('ui.notifier.sampleMessage', { name: name ?? 'web-1' })
  return { fill: { message, at: ports.now(), timeZone, server, units }, name, id: server?.id ?? null }
}

export function sampleOf(placeholder: string, fill: TemplateFill): string {
  const filled = fillTemplate(placeholder, fill, 'none')
  return filled === placeholder ? '' : filled
}
