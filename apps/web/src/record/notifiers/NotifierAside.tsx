import { useValue } from '@legendapp/state/react'
import { type ResourceName, textKey } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { errorText, problemSentence } from '@qd/core/i18n'
import { type FilledRequest, fillRequest, type RequestTemplate, RequestType, type TemplateFill } from '@qd/core/schemas'
import type { FormModel } from '@qd/core/view'
import { useEffect } from 'react'
import { records, view } from '../../base/state/stores.ts'
import { type Texts, useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Select } from '../../ui/inputs/Select.tsx'
import * as css from './NotifierAside.css.ts'
import { sampleServer$, useSample } from './sample.ts'

const shownLength = 20_000
const notifying = ['alert-rule', 'service', 'cron'] as const satisfies readonly ResourceName[]

/** What a notifier as typed would send for a server, and who uses it. */
export function NotifierAside({ form }: { form: FormModel }) {
  useEffect(() => {
    const stops = ['notification-group', ...notifying].map((name) => records.watch(name as ResourceName))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return (
    <>
      <Preview form={form} />
      {form.base && <UsedBy id={form.base.id} />}
    </>
  )
}

function Preview({ form }: { form: FormModel }) {
  const texts = useTexts()
  const { t } = texts
  const values = form.values()
  const sample = useSample(values.format_metric_units === true)
  const isHidden = form.base?.has_body === true && values.request_body === ''
  const template = { ...values, request_header: '' } as RequestTemplate
  const filled = requestOf({ ...template, request_body: template.request_body ?? '' }, sample.fill, texts)
  return (
    <section className={css.section}>
      <h2 className={css.head}>
        {sample.name === null ? t('ui.notifier.preview') : t('ui.notifier.previewFor', { name: sample.name })}
      </h2>
      <SamplePicker id={sample.id} />
      {'wrong' in filled ? (
        <p className={css.wrong}>{filled.wrong}</p>
      ) : (
        <Request request={filled.request} isJson={values.request_type === RequestType.json} isHidden={isHidden} />
      )}
    </section>
  )
}

function requestOf(
  template: RequestTemplate,
  fill: TemplateFill,
  { translator }: Texts,
): { request: FilledRequest } | { wrong: string } {
  try {
    return { request: fillRequest(template, fill) }
  } catch (thrown) {
    const error = toAppError(thrown)
    const [problem] = error.problems
    return { wrong: problem ? problemSentence(translator, problem) : errorText(translator, error).title }
  }
}

function Request({
  request: { method, url, body },
  isJson,
  isHidden,
}: {
  request: FilledRequest
  isJson: boolean
  isHidden: boolean
}) {
  const { t, format } = useTexts()
  const size = body === null ? 0 : new TextEncoder().encode(body).length
  const bytes = format.bytes(size)
  const isValid = body !== null && isJsonText(body)
  return (
    <>
      {url !== '' && <p className={css.line}>{`${method} ${url}`}</p>}
      {isHidden && <p className={css.help}>{t('ui.notifier.hiddenBody')}</p>}
      {!isHidden && body !== null && body !== '' && (
        <>
          <pre className={css.well}>{body.slice(0, shownLength)}</pre>
          <p className={isJson && !isValid ? css.wrong : css.help} role="status">
            {!isJson ? bytes : t(isValid ? 'ui.notifier.validJson' : 'ui.notifier.wrongJson', { bytes })}
          </p>
        </>
      )}
      {!isHidden && (body === null || body === '') && <p className={css.help}>{t('ui.notifier.noBody')}</p>}
    </>
  )
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function SamplePicker({ id }: { id: number | null }) {
  const { t } = useTexts()
  const servers = useValue(() => view.all('server').map((row) => ({ value: String(row.id), label: String(row.name) })))
  if (servers.length < 2) return null
  return (
    <Select
      label={t('ui.notifier.sample')}
      options={servers}
      value={String(id)}
      onChange={(value) => sampleServer$.set(Number(value))}
    />
  )
}

/** Groups of a notifier, and how many records notify each. */
function UsedBy({ id }: { id: number }) {
  const { t, say, format } = useTexts()
  const groups = useValue(() =>
    view.referring('notification-group', 'notifications', id).map((group) => ({
      group,
      title: view.title('notification-group', group) ?? `#${group}`,
      counts: notifying.map((name) => view.all(name).filter((row) => row.notification_group_id === group).length),
    })),
  )
  return (
    <section className={css.section}>
      <h2 className={css.head}>{t('ui.notifier.usedBy')}</h2>
      {groups.length === 0 && <p className={css.help}>{t('ui.notifier.unused')}</p>}
      <ul className={css.users}>
        {groups.map(({ group, title, counts }) => (
          <li key={group} className={css.user}>
            <Icon name="bell" size={12} />
            {title}
            <span className={css.faint}>
              {format.list(
                notifying.flatMap((name, index) =>
                  counts[index] ? `${say(textKey.many(name))} ${format.number(counts[index])}` : [],
                ),
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
