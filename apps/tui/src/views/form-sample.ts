import { toAppError } from '@qd/core/errors'
import { plainLines, plainText } from '@qd/core/fields'
import { isOnline, notification } from '@qd/core/resources'
import { fillRequest, type RequestTemplate, type TemplateServer } from '@qd/core/schemas'
import type { FormModel } from '@qd/core/view'
import type { Ui } from '../app/ui.ts'

const bodyLines = 12

/** What a notifier as typed would send, filled for a server that reports; null for other forms and while nothing can be said. */
export function samplePreview(ui: Ui, model: FormModel): { title: string; lines: readonly string[] } | null {
  if (model.resource !== notification) return null
  const { translator, view, format } = ui.desk
  const { t } = translator
  const servers = view.all('server')
  const row =
    servers.find(({ last_active }) => isOnline({ last_active: last_active as string | null }, view.now)) ?? servers[0]
  const values = model.sent()
  const text = (field: string) => String(values[field] ?? '')
  const url = text('url') || (model.base ? `https://${String(model.base.host)}/…` : '')
  const hidden = model.base?.has_body === true && values.request_body === ''
  if (url === '') return null
  const server = (row ?? null) as unknown as TemplateServer | null
  const name = plainText(String(row?.name ?? 'web-1'))
  try {
    const filled = fillRequest(
      {
        ...(values as unknown as RequestTemplate),
        url,
        request_header: text('request_header'),
        request_body: text('request_body'),
      },
      {
        message: t('ui.notifier.sampleMessage', { name }),
        at: view.now,
        timeZone: format.timeZone,
        server,
        units: values.format_metric_units === true,
      },
    )
    return {
      title: t('ui.notifier.previewFor', { name }),
      lines: [
        plainText(`${filled.method} ${filled.url}`),
        ...Object.entries(filled.headers).map(([header, value]) => plainText(`${header}: ${value}`)),
        ...plainLines(filled.body ?? '')
          .split('\n')
          .slice(0, bodyLines),
        ...(hidden ? [t('ui.notifier.hiddenBody')] : []),
      ].filter((one) => one !== ''),
    }
  } catch (thrown) {
    // What is wrong with it is said below its field.
    if (['invalid', 'tooLarge'].includes(toAppError(thrown).code)) return null
    throw thrown
  }
}
