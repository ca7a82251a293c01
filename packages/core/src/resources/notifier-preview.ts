import type { SayContext, Values } from '../define/index.ts'
import { AppError } from '../errors/index.ts'
import { fillRequest, type RequestTemplate, type TemplateServer } from '../schemas/index.ts'
import { siteTimeZone } from './setting.ts'

const maxShown = 4000

/**
 * The request that the typed notifier would send for a server: first line, headers, body. Stored secrets are empty. Empty if it can’t be built,
 * which its fields explain.
 */
export function previewNotifier(values: Values, { translator, view }: SayContext): readonly string[] {
  const servers = view.all('server')
  const sample = servers.find(({ last_active }) => last_active !== null) ?? servers[0]
  const template = { ...values, request_header: values.request_header ?? '', request_body: values.request_body ?? '' }
  try {
    const { method, url, headers, body } = fillRequest(template as RequestTemplate, {
      message: translator.t('ui.notifier.sampleMessage', { name: String(sample?.name ?? 'web-1') }),
      at: view.now,
      timeZone: siteTimeZone(view),
      server: (sample as TemplateServer | undefined) ?? null,
      units: values.format_metric_units === true,
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${method} ${url}`, ...lines, ...(body ? [body.slice(0, maxShown)] : [])]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}
